import type { SecureContextOptions } from "node:tls";
import { ApidServer } from "../apid/apidServer";
import type { CallHandler } from "../apid/rawCall";
import type { MachineFacts } from "../config/machineFacts";
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

/** What the API of a configured node needs of it; functions are asked at each use. */
export interface ApiPortsHost {
  readonly address: string;
  readonly timers: Timers;
  facts(): MachineFacts;
  names(): NodeNames;
  /** host:port of each trustd a worker knows of. */
  trustdEndpoints(): Promise<readonly string[]>;
  readonly handle: CallHandler;
  readonly log: (line: string) => void;
  /** Gets the lines trustd logs. */
  readonly trustdLog: (line: string) => void;
  /** What is wrong with the machine. */
  readonly faults: MachineFaults;
}

/** How often a worker asks again for its certificate while no control plane answers. */
const retryMs = 50;
const requestTimeoutMs = 5000;

/**
 * apid and, on control planes, trustd: their ports and certificates. A control plane issues its own
 * certificate, a worker asks a trustd for it.
 */
export class ApiPorts {
  readonly #host: ApiPortsHost;
  #apid: ApidServer | undefined;
  #trustd: TrustdServer | undefined;
  #cancelRenewal: (() => void) | undefined;
  #closed = false;
  #lastComplaint = "";

  constructor(host: ApiPortsHost) {
    this.#host = host;
  }

  /** Whether calls are taken. */
  get isOpen(): boolean {
    return this.#apid !== undefined && !this.#closed;
  }

  /**
   * The certificate apid shows: from the node's own CA or, as a worker, from the first trustd that
   * hands it out, however long that takes. `undefined` once the node goes down.
   */
  async certificate(): Promise<SecureContextOptions | undefined> {
    while (!this.#closed) {
      const identity = await this.#tryToGet();
      if (identity) return identity;
      await this.#host.timers.delay(retryMs);
    }
    return undefined;
  }

  /** Opens apid. Throws the errors of `listen`. */
  async openApid(identity: SecureContextOptions): Promise<void> {
    const { address, handle, faults } = this.#host;
    const apid = await ApidServer.start({
      address,
      port: apidPort,
      identity,
      requireClientCertificate: true,
      handle,
      faults,
    });
    this.#apid = apid;
    // It may have gone down meanwhile.
    if (this.#closed) await apid.close();
    else this.#scheduleRenewal();
  }

  /** Opens trustd. Throws the errors of `listen`. */
  async openTrustd(identity: SecureContextOptions): Promise<void> {
    const { address, trustdLog, faults } = this.#host;
    const facts = () => this.#host.facts();
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
    this.#trustd = trustd;
    if (this.#closed) await trustd.close();
  }

  /**
   * Takes over a changed configuration, or replaces a certificate that is half over. Resolves when
   * connections to come get the other certificate; a failure is logged.
   */
  async renew(): Promise<void> {
    this.#scheduleRenewal();
    try {
      const identity = await this.#tryToGet();
      if (!identity) return;
      this.#apid?.setIdentity(identity);
      this.#trustd?.setIdentity(identity);
    } catch (error) {
      this.#host.log(`apid keeps its certificate: ${String(error)}`);
    }
  }

  /** Closes trustd alone. */
  async closeTrustd(): Promise<void> {
    await this.#trustd?.close();
  }

  /** Closes everything; calls under way may end within `graceMs`. */
  async close(graceMs: number): Promise<void> {
    this.#closed = true;
    await Promise.all([this.#apid?.close(graceMs), this.closeTrustd()]);
  }

  #scheduleRenewal(): void {
    this.#cancelRenewal?.();
    this.#cancelRenewal = this.#host.timers.after(renewalMs, () => void this.renew());
  }

  async #tryToGet(): Promise<SecureContextOptions | undefined> {
    const facts = this.#host.facts();
    const { faults } = this.#host;
    const { foreignCa } = faults;
    const osCa = foreignCa ?? facts.osCa;
    if (osCa?.key) {
      const acceptedCas = foreignCa ? [foreignCa.crt] : facts.acceptedCas;
      const accepting = { ...facts, acceptedCas };
      return apidIdentity(osCa, accepting, this.#host.names(), faults.issueTime());
    }
    const { csr, key } = await certificateRequest(apidNames(facts, this.#host.names()));
    const endpoints = await this.#host.trustdEndpoints();
    if (endpoints.length === 0) this.#complain("no certificate: no control plane is known");
    for (const endpoint of endpoints) {
      try {
        const issued = await requestCertificate(
          {
            endpoint,
            acceptedCas: facts.acceptedCas,
            token: facts.token,
            timeoutMs: requestTimeoutMs,
          },
          csr,
        );
        return issuedIdentity(issued, key);
      } catch (error) {
        const reason = error instanceof Error ? error.message : String(error);
        this.#complain(`trustd at ${endpoint} gives no certificate: ${reason}`);
      }
    }
    return undefined;
  }

  /** Says once why there is no certificate yet, not at each try. */
  #complain(complaint: string): void {
    if (complaint === this.#lastComplaint) return;
    this.#lastComplaint = complaint;
    this.#host.log(complaint);
  }
}
