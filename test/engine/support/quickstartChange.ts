/** The same value in YAML, for `patches` of the quickstart's cluster. */
export const QUICKSTART_PATCH = { machine: { sysctls: { "vm.max_map_count": "262144" } } };

const PARAMETER = [
  "~ redactedConfiguration: {",
  "~ machine: {",
  "+ sysctls: {",
  '+ vm.max_map_count: "262144"',
];

const MACHINE = ["~ talos-aws:index:ConfigurationApply: (update)", ...PARAMETER];

/** What a preview of that change shows, whatever language the program is written in. */
export const QUICKSTART_CHANGE: readonly string[] = [
  "~ talos-aws:index:MachineConfiguration: (update)",
  "+ patches: [secret]",
  ...PARAMETER,
  ...MACHINE,
  ...MACHINE,
  ...MACHINE,
  "~ talos-aws:index:ClusterHealth: (update)",
  "~ triggers: [",
  '~ [1]: "…" => "…"',
  '~ [2]: "…" => "…"',
  '~ [3]: "…" => "…"',
  "~ 5 to update",
];

/** The lines of a preview (`--diff`) that name what changes, without hashes and alignment. */
export function changedLines(preview: string): string[] {
  return preview
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => /^[~+-]/.test(line))
    .map((line) => line.replaceAll(/"[0-9a-f]{64}"/g, '"…"').replace(/\s+:/, ":"));
}
