import { servesMaintenanceByMachined } from "../api/maintenanceMethods";
import type { LogBook } from "../runtime/logBook";

/**
 * What a machine in maintenance mode says on its console. Sources: Talos v1.12.1 `runtime/maintenance_service.go`; v1.14.1
 * `runtime/maintenance_service_inform.go`; both `config/acquire.go`. The lines are those of real machines.
 */
export class MaintenanceLines {
  private isUsagePrinted = false;

  constructor(
    private readonly logs: LogBook,
    private readonly talosVersion: string,
    /** The machine's address that it knows itself. */
    private readonly address: string,
  ) {}

  /** It waits for a configuration. */
  entered(): void {
    sayAcquiring(this.logs, "entering maintenance service");
    this.say("this machine is reachable at:");
    this.say(`\t${this.address}`);
  }

  /** It has made a certificate. Only for the first one it also says how to use it. */
  issued(fingerprint: string): void {
    this.say("server certificate issued", { fingerprint });
    if (this.isUsagePrinted) {
      return;
    }
    this.isUsagePrinted = true;
    const apply = `\ttalosctl apply-config --insecure --nodes ${this.address}`;
    this.say("upload configuration using talosctl:");
    this.say(`${apply} --file <config.yaml>`);
    this.say("optionally with node fingerprint check:");
    this.say(`${apply} --cert-fingerprint '${fingerprint}' --file <config.yaml>`);
  }

  private say(text: string, more: Readonly<Record<string, string>> = {}): void {
    const name = servesMaintenanceByMachined(this.talosVersion)
      ? "MaintenanceServiceInformController"
      : "MaintenanceServiceController";
    sayAs(this.logs, `runtime.${name}`, text, more);
  }
}

/** It has a configuration. */
export function sayLeaving(logs: LogBook): void {
  sayAcquiring(logs, "leaving maintenance service");
}

function sayAcquiring(logs: LogBook, text: string): void {
  sayAs(logs, "config.AcquireController", text);
}

/** Writes a line of a controller, with its fields as zap's encoder for consoles does. */
function sayAs(
  logs: LogBook,
  controller: string,
  text: string,
  more: Readonly<Record<string, string>> = {},
): void {
  const fields = Object.entries({ component: "controller-runtime", controller, ...more })
    .map(([name, value]) => `${JSON.stringify(name)}: ${JSON.stringify(value)}`)
    .join(", ");
  logs.talos(`${text} {${fields}}`);
}
