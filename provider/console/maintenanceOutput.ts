import { isCertificateFingerprint } from "../api/maintenanceServers";

/** What firmware and boot loaders send to a terminal: colours, and moves of the cursor (ECMA-48, control sequences). */
// eslint-disable-next-line no-control-regex -- these are what it looks for
const TERMINAL_SEQUENCE = /\u001b\[[0-?]*[ -/]*[@-~]/g;

/** What the kernel writes before a line: the time since its start, and who wrote, if it is built so. */
const KERNEL_STAMP = String.raw`\[ *\d+\.\d+\](?:\[ *[CT]\d+\])? `;

/**
 * A line of Talos. The whole line has to be one: a line in the middle of another may come from a caller, because Talos
 * v1.12 also prints calls with their errors and metadata (`pkg/grpc/middleware/log`).
 */
const TALOS_LINE = new RegExp(String.raw`^(?:${KERNEL_STAMP})?\[talos\] (.*)$`);

/** The first line of a kernel. */
const KERNEL_START = /^\[ *0\.000000\](?:\[ *[CT]\d+\])? Linux version /;

/** Printed for each certificate that a machine in maintenance mode makes. */
const ISSUED = /^server certificate issued (\{.*\})$/;

/** Printed when a machine has taken a configuration. Source: `config.AcquireController` of Talos v1.12.1 to v1.14.1. */
const LEAVING = "leaving maintenance service ";

/** Who prints it: Talos v1.12.1 `runtime/maintenance_service.go`; v1.13.9 and v1.14.1 `runtime/maintenance_service_inform.go`. */
const PRINTERS: readonly unknown[] = [
  "runtime.MaintenanceServiceController",
  "runtime.MaintenanceServiceInformController",
];

/** What a machine has printed about maintenance mode since its kernel started. */
export interface MaintenanceOutput {
  /**
   * The fingerprints of its certificates, in order. Talos makes each key itself and keeps it in memory, so no other server
   * has it. It makes several in one boot.
   */
  readonly fingerprints: readonly string[];
  /** Whether it has taken a configuration. What it prints then may be somebody else's, and doesn't count. */
  readonly hasLeft: boolean;
}

/**
 * Reads the output of a console.
 *
 * @param text the machine's, so any characters may be in it
 */
export function maintenanceOutput(text: string): MaintenanceOutput {
  const fingerprints = new Set<string>();
  let hasLeft = false;
  for (const line of text.replace(TERMINAL_SEQUENCE, "").split(/\r*\n/)) {
    if (KERNEL_START.test(line)) {
      fingerprints.clear();
      hasLeft = false;
    }
    const said = TALOS_LINE.exec(line)?.[1] ?? "";
    if (said.startsWith(LEAVING)) {
      fingerprints.clear();
      hasLeft = true;
    }
    const fingerprint = hasLeft ? undefined : fingerprintIn(said);
    if (fingerprint !== undefined) {
      fingerprints.add(fingerprint);
    }
  }
  return { fingerprints: [...fingerprints], hasLeft };
}

function fingerprintIn(said: string): string | undefined {
  const fields = ISSUED.exec(said)?.[1];
  if (fields === undefined) {
    return undefined;
  }
  const { controller, fingerprint } = parseFields(fields);
  const isOne = PRINTERS.includes(controller) && isCertificateFingerprint(fingerprint);
  return isOne ? String(fingerprint) : undefined;
}

function parseFields(text: string): Readonly<Record<string, unknown>> {
  try {
    const fields: unknown = JSON.parse(text);
    return typeof fields === "object" && fields !== null ? { ...fields } : {};
  } catch {
    // A line that the console has cut off.
    return {};
  }
}
