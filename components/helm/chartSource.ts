/** Where a chart comes from. */
export type ChartSource =
  | { readonly from: "repository" | "path" }
  | {
      readonly from: "registry";
      readonly tag: string | undefined;
      readonly digest: string | undefined;
    };

const REGISTRY = "oci://";

/** Whether a chart is a path, an address in a registry, or a name in a repository. */
export function chartSource(chart: string): ChartSource {
  if (/^[./]/.test(chart)) {
    return { from: "path" };
  }
  if (!chart.startsWith(REGISTRY)) {
    return { from: "repository" };
  }
  const [reference = "", digest] = chart.slice(REGISTRY.length).split("@");
  // A colon before the first slash is a port.
  const [, tag] = reference.slice(reference.indexOf("/") + 1).split(":");
  return { from: "registry", tag, digest };
}

/** The chart's own name: the last part of its path or address. */
export function chartName(chart: string): string {
  const [reference = ""] = chart.split("@");
  const last = reference.replace(/\/+$/, "").split("/").pop() ?? "";
  // An archive is named after its chart and version.
  return last.replace(/:.*$/, "").replace(/(-v?\d+\.\d+\.\d+\S*)?\.tgz$/, "");
}
