import type { SecureContextOptions } from "node:tls";
import {
  Server,
  ServerCredentials,
  status,
  type UntypedServiceImplementation,
} from "@grpc/grpc-js";
import { protocol } from "../../../provider/api";
import type { SecurityServiceHandlers } from "../../../provider/api/gen/securityapi/SecurityService";
import { type CertificateAndKey, fromBase64 } from "../../../provider/pki";
import type { Wire } from "../faults/wire";
import { RpcError } from "../rpc/rpcError";
import { TlsListener } from "../tls/tlsListener";
import { signRequest } from "./signRequest";

/** Options of a trustd. The functions are called at each request. */
export interface TrustdOptions {
  readonly address: string;
  readonly port: number;
  readonly identity: SecureContextOptions;
  /** The issuing CA with its key; `undefined` if the configuration has none. */
  issuingCa(): CertificateAndKey | undefined;
  /** Base64 PEM certificates of the CAs that workers must accept. */
  acceptedCas(): readonly string[];
  /** The token that a machine needs to get a certificate: `machine.token`. */
  token(): string;
  readonly log: (line: string) => void;
  /** The simulated network between it and its clients. */
  readonly wire: Wire;
}

/**
 * The gRPC server on port 50001 of a control plane, which signs certificates of workers' apid
 * (talos v1.12.1, `internal/app/trustd`). Clients authenticate only with the token.
 */
export class TrustdServer {
  private readonly grpc: Server;
  private readonly listener: TlsListener;

  private constructor(grpc: Server, listener: TlsListener) {
    this.grpc = grpc;
    this.listener = listener;
  }

  /** Throws the errors of `listen`, for example `EADDRINUSE`. */
  static async start(options: TrustdOptions): Promise<TrustdServer> {
    const grpc = new Server({ "grpc.enable_channelz": 0 });
    const handlers: SecurityServiceHandlers & UntypedServiceImplementation = {
      Certificate: (call, callback) => {
        const token = call.metadata.get("token")[0];
        certificate(options, token, call.request.csr.toString("utf8"), call.getPeer()).then(
          (response) => callback(null, response),
          (error: unknown) => {
            const { code, message } = RpcError.from(error);
            callback({ code, details: message });
          },
        );
      },
    };
    grpc.addService(protocol.securityapi.SecurityService.service, handlers);
    const injector = grpc.createConnectionInjector(ServerCredentials.createInsecure());
    const listener = await TlsListener.listen({
      address: options.address,
      port: options.port,
      identity: options.identity,
      requestCertificate: false,
      protocols: ["h2"],
      onConnection: (socket) => injector.injectConnection(socket),
      wire: options.wire,
    });
    return new TrustdServer(grpc, listener);
  }

  /** Sets certificate and key for new connections. */
  setIdentity(identity: SecureContextOptions): void {
    this.listener.setIdentity(identity);
  }

  /** Ends every connection. */
  async close(): Promise<void> {
    await this.listener.close();
    this.grpc.forceShutdown();
  }
}

async function certificate(
  options: TrustdOptions,
  token: unknown,
  csr: string,
  peer: string,
): Promise<{ ca: Buffer; crt: Buffer }> {
  if (token !== options.token()) {
    throw new RpcError(status.UNKNOWN, "Unauthenticated");
  }
  const ca = options.issuingCa();
  if (!ca) {
    throw new RpcError(status.INTERNAL, "failed to sign CSR: the CA has no key here");
  }
  const { description, certificate: signed } = await signRequest(ca, csr);
  options.log(`received CSR signing request from ${peer}: ${description}`);
  return {
    ca: Buffer.from(options.acceptedCas().map(fromBase64).join("")),
    crt: Buffer.from(signed),
  };
}
