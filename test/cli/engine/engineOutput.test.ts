import { EngineOutput } from "../../../cli/engine/engineOutput";

const nodejs =
  "warning: using pulumi-resource-pulumi-nodejs from $PATH at /a/pulumi-resource-pulumi-nodejs";
const apply = "pulumi-nodejs:dynamic/talos:ConfigurationApply local-control-plane-1";
const stack = "pulumi:pulumi:Stack talos-aws-local";

/** What is shown of an output that comes in these parts. */
function shown(parts: readonly string[], hasFailed: boolean): string {
  const written: string[] = [];
  const output = new EngineOutput((text) => written.push(text));
  parts.forEach(output.add);
  output.end({ hasFailed });
  return written.join("");
}

/** Recorded from pulumi 3.230.0: an upgrade that fails. */
const failedUpdate = [
  "Updating (local):\n",
  `    ${stack}  ${nodejs}\n`,
  "\n",
  "@ updating....",
  ".",
  `\n    ${stack} running ${nodejs}\n`,
  ` ~  ${apply} updating (0s) [diff: ~talosSystem]\n`,
  ` ~  ${apply} updating (3s) [diff: ~talosSystem]; waiting for machine 127.69.1.1 to run Talos v1.13.0: it installs (3 s of 1800 s)\n`,
  "@ updating....",
  ` ~  ${apply} updating (4s) [diff: ~talosSystem]; waiting for it: could not connect: error: refused (4 s of 1800 s)\n.\n`,
  ` ~  ${apply} updating (7s) [diff: ~talosSystem]; error: machine 127.69.1.1 restarted with v1.12.1\n`,
  ` ~  ${apply} **updating failed** [diff: ~talosSystem]; error: machine 127.69.1.1 restarted with v1.12.1\n`,
  `    ${stack} running error: update failed\n`,
  `    ${stack} **failed** 1 error; 4 warnings\n`,
  "Diagnostics:\n",
  "  pulumi-nodejs:dynamic/talos:ConfigurationApply (local-control-plane-1):\n",
  "    error: machine 127.69.1.1 restarted with v1.12.1\n\n",
  "  pulumi:pulumi:Stack (talos-aws-local):\n",
  `    ${nodejs}\n    error: update failed\n\n`,
  'Outputs:\n  - endpoint: "https://k8s.local.talos.example:6443"\n\n',
  "Resources:\n    65 unchanged\n    2 errored\n\nDuration: 20s\n\n",
] as const;

const shownUpdate = `Updating (local):

@ updating.....
 ~  ${apply} updating (0s) [diff: ~talosSystem]
 ~  ${apply} updating (3s) [diff: ~talosSystem]; waiting for machine 127.69.1.1 to run Talos v1.13.0: it installs (3 s of 1800 s)
@ updating....
 ~  ${apply} updating (4s) [diff: ~talosSystem]; waiting for it: could not connect: error: refused (4 s of 1800 s)
 ~  ${apply} **updating failed** [diff: ~talosSystem]
    ${stack} **failed**
Resources:
    65 unchanged
    2 errored

Duration: 20s

`;

describe("the engine's output, as shown", () => {
  it("shows the steps until a failure, without the error, which is in the failure's message", () => {
    expect(shown(failedUpdate, true)).toBe(shownUpdate);
  });

  it("is the same for any chunks, except for the ends of dots", () => {
    const characters = failedUpdate.join("").match(/[^]/g) ?? [];
    const lines = (text: string) => text.split("\n").filter((line) => !line.startsWith("@"));
    expect(lines(shown(characters, true))).toEqual(lines(shownUpdate));
  });

  it("has the same lines in colors", () => {
    const parts = [
      "\u001b[38;5;13m\u001b[1mPreviewing update (local):\u001b[0m\n",
      "\u001b[38;5;3m@ previewing update....\u001b[0m",
      "\u001b[38;5;3m.\u001b[0m",
      ` \u001b[1m\u001b[0m  \u001b[0m ${stack} running \u001b[38;5;3mwarning: \u001b[0m\u001b[0m${nodejs.slice(9)}\u001b[0m\n`,
      ` \u001b[1m\u001b[0m  \u001b[0m ${stack} running \u001b[38;5;1merror: \u001b[0m\u001b[0mthe settings can't be used:\n`,
      ` \u001b[38;5;3m~ \u001b[0m ${apply} \u001b[38;5;1m**updating failed**\u001b[0m [diff: \u001b[38;5;3m~node\u001b[0m\u001b[0m]; \u001b[38;5;1merror: \u001b[0m\u001b[0mit is off\u001b[0m\n`,
      ` \u001b[0m  \u001b[0m ${stack} \u001b[0m\u001b[0m 2 \u001b[38;5;1merrors\u001b[0m; 2 \u001b[38;5;3mwarnings\u001b[0m\n`,
      "\u001b[38;5;13m\u001b[1mDiagnostics:\u001b[0m\n    \u001b[38;5;1merror: \u001b[0m\u001b[0mit is off\u001b[0m\n\n",
      "\u001b[38;5;13m\u001b[1mResources:\u001b[0m\n    1 unchanged\n",
    ];
    expect(shown(parts, true)).toBe(
      `${parts[0] ?? ""}${parts[1] ?? ""}${parts[2] ?? ""}\n` +
        ` \u001b[38;5;3m~ \u001b[0m ${apply} \u001b[38;5;1m**updating failed**\u001b[0m [diff: \u001b[38;5;3m~node\u001b[0m\u001b[0m]\n` +
        (parts[8] ?? ""),
    );
  });

  it("has the messages of a successful operation, without those about plugins", () => {
    const others =
      "  talos-aws:index:TalosCluster (local):\n    warning: it costs more\n    a note\n\n";
    const ending = "Resources:\n    + 1 created\n";
    const plugins = `  pulumi:pulumi:Stack (talos-aws-local):\n    ${nodejs}\n\n`;
    expect(shown([`Diagnostics:\n${plugins}${others}${ending}`], false)).toBe(
      `Diagnostics:\n${others}${ending}`,
    );
    expect(shown([`Diagnostics:\n${plugins}${ending}`], false)).toBe(ending);
  });

  it("keeps lines of unknown formats, also a last one without a line end", () => {
    expect(shown(["error: from elsewhere\n  error: too\nno end"], true)).toBe(
      "error: from elsewhere\n  error: too\nno end\n",
    );
  });
});
