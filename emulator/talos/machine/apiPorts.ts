import type { SecureContextOptions } from "node:tls";
import { messageOfError } from "../../../provider/base";
import { ApidServer } from "../apid/apidServer";
import type { CallHandler } from "../apid/rawCall";
import type { MachineFacts } from "../config/machineFacts";
import { dropsConnections } from "../config/machineFirewall";
import type { MachineFaults } from "../faults/machineFaults";
import { certificateRequest } from "../trustd/certificateRequest";
import { requestCertificate } from "../trustd/trustdClient";
import { TrustdServer } from "../trustd/trustdServer";
import {
  apidIdentity,
  apidNames,
  issuedIdentity,
  renewalMs,
  type NodeNames,
} from "./nodeCertificates";
import { apidPort, trustdPort } from "./ports";
import type { Timers } from "./timers";

/** The node behind the ports. Functions are called at each use. */
export interface ApiPortsHost {
  readonly address: string;
  readonly timers: Timers;
  facts(): MachineFacts;
  names(): NodeNames;
  /** Addresses (host:port) of the trustd servers that a worker knows. */
  trustdEndpoints(): Promise<readonly string[]>;
  readonly handle: CallHandler;
  readonly log: (line: string) => void;
  /** Called with each log line of trustd. */
  readonly trustdLog: (line: string) => void;
  /** The machine's faults. */
  readonly faults: MachineFaults;
}

/** How often a worker retries its certificate request while no control plane answers. */
const RETRY_MS = 50;
const REQUEST_TIMEOUT_MS = 5000;

/**
 * The ports and certificates of apid and, on control planes, trustd. A control plane issues its own
 * certificate. A worker requests its certificate from a trustd.
 */
export class ApiPorts {
  private readonly host: ApiPortsHost;
  private apid: ApidServer | undefined;
  private trustd: TrustdServer | undefined;
  private cancelRenewal: (() => void) | undefined;
  private closed = false;
  private lastComplaint = "";

  constructor(host: ApiPortsHost) {
    this.host = host;
    host.faults.wire.filter((port) => dropsConnections(host.facts().firewall, port));
  }

  /** Whether apid accepts calls. */
  get isOpen(): boolean {
    return this.apid !== undefined && !this.closed;
  }

  /**
   * apid's certificate, from the node's own CA or, on a worker, from the first trustd that issues it. It waits
   * for that without a limit. Undefined when the node shuts down.
   */
  async certificate(): Promise<SecureContextOptions | undefined> {
    while (!this.closed) {
      const identity = await this.tryToGet();
      if (identity) {
        return identity;
      }
      await this.host.timers.delay(RETRY_MS);
    }
    return undefined;
  }

  /** Opens apid. Throws the errors of `listen`. */
  async openApid(identity: SecureContextOptions): Promise<void> {
    const { address, handle, faults } = this.host;
    const apid = await ApidServer.start({
      address,
      port: apidPort,
      identity,
      requireClientCertificate: true,
      handle,
      faults,
    });
    this.apid = apid;
    // The node may have shut down meanwhile.
    if (this.closed) {
      await apid.close();
    } else {
      this.scheduleRenewal();
    }
  }

  /** Opens trustd. Throws the errors of `listen`. */
  async openTrustd(identity: SecureContextOptions): Promise<void> {
    const { address, trustdLog, faults } = this.host;
    const facts = () => this.host.facts();
    const trustd = await TrustdServer.start({
      address,
      port: trustdPort,
      identity,
      issuingCa: () => facts().osCa,
      acceptedCas: () => facts().acceptedCas,
      token: () => facts().token,
      log: trustdLog,
      wire: faults.wire,
    });
    this.trustd = trustd;
    if (this.closed) {
      await trustd.close();
    }
  }

  /**
   * Applies a changed configuration, or renews a certificate after half of its life. Resolves when new
   * connections get the new certificate. A failure is logged.
   */
  async renew(): Promise<void> {
    this.scheduleRenewal();
    try {
      const identity = await this.tryToGet();
      if (!identity) {
        return;
      }
      this.apid?.setIdentity(identity);
      this.trustd?.setIdentity(identity);
    } catch (error) {
      this.host.log(`apid keeps its certificate: ${String(error)}`);
    }
  }

  /** Closes trustd only. */
  async closeTrustd(): Promise<void> {
    await this.trustd?.close();
  }

  /** Closes all ports. Running calls may finish within `graceMs`. */
  async close(graceMs: number): Promise<void> {
    this.closed = true;
    await Promise.all([this.apid?.close(graceMs), this.closeTrustd()]);
    this.host.faults.wire.filter();
  }

  private scheduleRenewal(): void {
    this.cancelRenewal?.();
    this.cancelRenewal = this.host.timers.after(renewalMs, () => void this.renew());
  }

  private async tryToGet(): Promise<SecureContextOptions | undefined> {
    const facts = this.host.facts();
    const { faults } = this.host;
    const { foreignCa } = faults;
    const osCa = foreignCa ?? facts.osCa;
    if (osCa?.key) {
      const acceptedCas = foreignCa ? [foreignCa.crt] : facts.acceptedCas;
      const accepting = { ...facts, acceptedCas };
      return apidIdentity(osCa, accepting, this.host.names(), faults.issueTime());
    }
    const { csr, key } = await certificateRequest(apidNames(facts, this.host.names()));
    const endpoints = await this.host.trustdEndpoints();
    if (endpoints.length === 0) {
      this.complain("no certificate: no control plane is known");
    }
    for (const endpoint of endpoints) {
      try {
        const issued = await requestCertificate(
          {
            endpoint,
            acceptedCas: facts.acceptedCas,
            token: facts.token,
            timeoutMs: REQUEST_TIMEOUT_MS,
          },
          csr,
        );
        return issuedIdentity(issued, key);
      } catch (error) {
        const reason = messageOfError(error);
        this.complain(`trustd at ${endpoint} gives no certificate: ${reason}`);
      }
    }
    return undefined;
  }

  /** Logs once, not at each attempt, why there is no certificate yet. */
  private complain(complaint: string): void {
    if (complaint === this.lastComplaint) {
      return;
    }
    this.lastComplaint = complaint;
    this.host.log(complaint);
  }
}
