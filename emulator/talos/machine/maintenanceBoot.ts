import { X509Certificate } from "node:crypto";
import type { SecureContextOptions } from "node:tls";
import { status } from "@grpc/grpc-js";
import { certificateFingerprint } from "../../../provider/api";
import { configuredMethods } from "../api/configuredMethods";
import { maintenanceMethods, servesMaintenanceByMachined } from "../api/maintenanceMethods";
import { ApidServer } from "../apid/apidServer";
import { mayCallInMaintenance } from "../apid/methodRoles";
import type { CallContext } from "../rpc/method";
import type { MethodTable } from "../rpc/methodTable";
import { RpcError } from "../rpc/rpcError";
import type { Uptime } from "../runtime/uptime";
import { Boot, type BootHost } from "./boot";
import type { MachineStatus } from "./machineStatus";
import { MaintenanceLines } from "./maintenanceLines";
import { maintenanceIdentity } from "./nodeCertificates";
import { apidPort } from "./ports";

/** A machine without a configuration: it accepts one from every client. */
export class MaintenanceBoot extends Boot {
  readonly config = undefined;
  readonly nodename = undefined;
  readonly etcd = undefined;
  readonly kubernetesNode = undefined;
  readonly pods = [];
  readonly staticPods = [];
  readonly staticPodStatuses = {};
  readonly staticPodSources = undefined;
  readonly renderedKubelet = undefined;
  readonly peers = [];
  private readonly isMachined: boolean;
  private readonly lines: MaintenanceLines;
  private readonly methods: MethodTable;
  private server: ApidServer | undefined;
  override isTimeSynced: boolean;

  private constructor(host: BootHost, uptime: Uptime) {
    super(host, uptime);
    this.isTimeSynced = host.timeSyncMs === 0;
    const { address, privateAddress } = host.hardware;
    const known = privateAddress === "" ? address : privateAddress;
    this.lines = new MaintenanceLines(uptime.logs, this.talosVersion, known);
    const context = { state: this, control: host.control, resources: this.resources };
    this.isMachined = servesMaintenanceByMachined(this.talosVersion);
    this.methods = this.isMachined
      ? configuredMethods({
          ...context,
          neighbours: { nodeAt: () => undefined, kubernetes: () => undefined },
        })
      : maintenanceMethods(context);
  }

  /** Opens port 50000. Throws the errors of `listen`. */
  static async start(host: BootHost, uptime: Uptime): Promise<MaintenanceBoot> {
    const boot = new MaintenanceBoot(host, uptime);
    const { address } = host.hardware;
    boot.lines.entered();
    const server = await ApidServer.start({
      address,
      port: apidPort,
      identity: await boot.newIdentity(),
      requireClientCertificate: false,
      // Clients aren't authenticated. All may read resources that aren't secret.
      handle: ({ path, request, signal }) =>
        boot.serve(path, request, { roles: new Set(["os:reader"]), signal }),
      faults: host.faults,
    });
    boot.server = server;
    boot.begin();
    if (!boot.isTimeSynced) {
      boot.timers.after(host.timeSyncMs, () => void boot.learnTime(server));
    }
    host.log(`in maintenance mode, reachable at ${address}:${apidPort}`);
    return boot;
  }

  /** Talos makes another certificate for another time (Talos v1.12.1, secrets.MaintenanceController). */
  private async learnTime(server: ApidServer): Promise<void> {
    server.setIdentity(await this.newIdentity());
    this.isTimeSynced = true;
    this.changed();
  }

  /** A certificate with a new key, which the console tells of. */
  private async newIdentity(): Promise<SecureContextOptions> {
    const { address, privateAddress } = this.host.hardware;
    const identity = await maintenanceIdentity({
      hostname: this.hostname,
      privateAddress,
      address,
    });
    this.lines.issued(certificateFingerprint(new X509Certificate(String(identity.cert))));
    return identity;
  }

  deadContainerLog(): undefined {
    return undefined;
  }

  get status(): MachineStatus {
    return { stage: this.uptime.stage, ready: true, unmetConditions: [] };
  }

  protected async *answer(
    path: string,
    request: Buffer,
    context: CallContext,
  ): AsyncIterable<Buffer> {
    if (this.isMachined) {
      this.methods.requireService(path);
      if (!mayCallInMaintenance(context.roles, path)) {
        throw new RpcError(status.PERMISSION_DENIED, "not authorized");
      }
    }
    yield* this.methods.require(path).invoke(request, context);
  }

  worldChanged(): void {
    this.changed();
  }

  protected async close(graceMs: number): Promise<void> {
    await this.server?.close(graceMs);
  }
}
