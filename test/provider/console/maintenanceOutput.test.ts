import { maintenanceOutput } from "../../../provider/console/maintenanceOutput";

// Certificates of real machines, as they printed them in the Talos lab: v1.12.1, and v1.14.1.
const FIRST = "DMQO3TIS9b6Gy6FUW2YK0wylrNnQd1OO5udLXxcNj+4=";
const SECOND = "CUVt7sXiS5QXhp8jeSQHOmdNrj3NEu9ySVZau5wLKFk=";
const THIRD = "S2O4sDaAjUF/BAAl/9JX3zR5R4Y3wDN8WTcaxIr5+Wk=";

const KERNEL = "[    0.000000] Linux version 6.18.2-talos (@buildkitsandbox) #1 SMP";
const LEAVING = `[talos] leaving maintenance service {"component": "controller-runtime", "controller": "config.AcquireController"}`;

/** What Talos says of a certificate, without the kernel's stamp. */
function issued(fingerprint: string, controller = "MaintenanceServiceController"): string {
  return `[talos] server certificate issued {"component": "controller-runtime", "controller": "runtime.${controller}", "fingerprint": "${fingerprint}"}`;
}

function usage(fingerprint: string): string {
  return `[   10.000002] [talos]  talosctl apply-config --insecure --nodes 10.5.0.2 --cert-fingerprint '${fingerprint}' --file <config.yaml> {"component": "controller-runtime", "controller": "runtime.MaintenanceServiceController"}`;
}

/** The fingerprints that lines show. */
function shown(...lines: readonly string[]): readonly string[] {
  return maintenanceOutput(lines.map((line) => `${line}\r\n`).join("")).fingerprints;
}

describe("the output of a machine in maintenance mode", () => {
  it("shows each certificate that it has made since its kernel started", () => {
    expect(
      shown(
        KERNEL,
        `[   10.000001] ${issued(FIRST)}`,
        usage(FIRST),
        // It has learnt the time, and doesn't repeat how to use it.
        `[   11.123456] ${issued(SECOND)}`,
      ),
    ).toEqual([FIRST, SECOND]);
    expect(
      shown(`[   10.000001] ${issued(FIRST)}`, KERNEL, `[    9.100000] ${issued(SECOND)}`),
    ).toEqual([SECOND]);
  });

  it.each([
    ["with Talos v1.13 and newer", issued(THIRD, "MaintenanceServiceInformController")],
    ["of a kernel that tells who wrote", `[   10.000001][  T812] ${issued(THIRD)}`],
    ["of a kernel without a clock", issued(THIRD)],
    ["after sequences for a terminal", `\u001b[0m\u001b[37m\u001b[40m\u001b[=3h${issued(THIRD)}`],
    ["with the ends of lines that Linux sends", `[    1.000000] ${issued(THIRD)}\r`],
  ])("is read %s", (_, line) => {
    expect(shown(line)).toEqual([THIRD]);
  });

  it.each([
    ["that the usage alone names", usage(FIRST)],
    [
      "in an error of a call, which Talos v1.12 prints",
      `[    1.000000] [talos] Unknown [/machine.MachineService/ApplyConfiguration] 1ms unary ${issued(FIRST)}`,
    ],
    [
      "in the metadata of a call",
      `[    1.000000] [talos] OK [/machine.MachineService/Version] 1ms unary Success (user-agent=${issued(FIRST)})`,
    ],
    ["on a line that a caller's error continues", `[    1.000000]   ${issued(FIRST)}`],
    ["that something follows", `[    1.000000] ${issued(FIRST)} (user-agent=x)`],
    ["of another controller", issued(FIRST, "OtherController")],
    ["of another program", `[    1.000000] ${issued(FIRST).replace("[talos]", "[other]")}`],
    ["that is cut off", issued(FIRST).slice(0, -3)],
    ["that is none", issued("not a fingerprint")],
    ["that isn't a text", issued(FIRST).replace(/"[^"]*"\}$/, "1}")],
    ["after a bare carriage return", `[    1.000000] [talos] x\r${issued(FIRST)}`],
  ])("shows none %s", (_, line) => {
    expect(shown(KERNEL, line)).toEqual([]);
  });

  it("shows nothing after a configuration was taken, until the kernel starts again", () => {
    const left = [KERNEL, issued(FIRST), LEAVING, issued(SECOND)];
    expect(maintenanceOutput(left.join("\n"))).toEqual({ fingerprints: [], hasLeft: true });
    const again = [...left, KERNEL, issued(THIRD)];
    expect(maintenanceOutput(again.join("\n"))).toEqual({ fingerprints: [THIRD], hasLeft: false });
    // Who runs the machine can write what it likes, but the kernel adds the time.
    const forged = [...left, KERNEL.replace("0.000000", "9.000000"), issued(THIRD)];
    expect(maintenanceOutput(forged.join("\n"))).toEqual({ fingerprints: [], hasLeft: true });
  });

  it("is nothing for a console that EC2 does not show yet", () => {
    expect(maintenanceOutput("")).toEqual({ fingerprints: [], hasLeft: false });
  });
});
