import type { sendUnaryData, status } from "@grpc/grpc-js";
import type { MachineServiceHandlers } from "../../../provider/api/gen/machine/MachineService";
import { TalosApiError } from "../../../provider/api/talosApiError";
import { TalosClient, type TalosClientOptions } from "../../../provider/api/talosClient";
import type { ClientCredentials } from "../../../provider/pki/clientCredentials";
import type { CertificateAndKey } from "../../../provider/pki/secretsBundle";
import { startTestNode, type TestNode, type TestNodeOptions } from "./testNode";
import { createOsCa, issueCredentials, issueServerCertificate } from "./testPki";

/** How the client of a test is made where it is not as usual. */
export type ConnectOptions = Partial<Omit<TalosClientOptions, "credentials">>;

/** A cluster's CA with nodes that a test makes, and clients of them. */
export interface ClientBench {
  startNode: (options: Partial<TestNodeOptions>) => Promise<TestNode>;
  connectTo: (node: TestNode, options?: ConnectOptions) => TalosClient;
  /** A client of a new node that has these methods. */
  connectToMachine: (
    machine: Partial<MachineServiceHandlers>,
    options?: ConnectOptions,
  ) => Promise<TalosClient>;
}

/** Gives the tests of a file one cluster; each test's nodes and clients end with it. */
export function useClientBench(): ClientBench {
  let ca: CertificateAndKey;
  let certificate: CertificateAndKey;
  let credentials: ClientCredentials;
  const cleanups: (() => void | Promise<void>)[] = [];

  beforeAll(async () => {
    ca = await createOsCa();
    certificate = await issueServerCertificate(ca);
    credentials = await issueCredentials(ca);
  });

  afterEach(async () => {
    for (const cleanup of cleanups.splice(0).reverse()) {
      await cleanup();
    }
  });

  const startNode = async (options: Partial<TestNodeOptions>): Promise<TestNode> => {
    const node = await startTestNode({ certificate, clientCa: ca.crt, ...options });
    cleanups.push(() => node.stop());
    return node;
  };

  const connectTo = (node: TestNode, options: ConnectOptions = {}): TalosClient => {
    const client = TalosClient.connect({ endpoint: node.endpoint, credentials, ...options });
    cleanups.push(() => client.close());
    return client;
  };

  return {
    startNode,
    connectTo,
    connectToMachine: async (machine, options) => connectTo(await startNode({ machine }), options),
  };
}

/** The error of a call that has to fail with one of Talos' API. */
export async function failureOf(call: Promise<unknown>): Promise<TalosApiError> {
  const failure: unknown = await call.then(
    () => undefined,
    (error: unknown) => error,
  );
  if (failure instanceof TalosApiError) {
    return failure;
  }
  throw new Error(`expected a TalosApiError, got ${String(failure)}`);
}

/** Answers a call with a status that is not OK. */
export function refuse(callback: sendUnaryData<never>, code: status, details: string): void {
  callback({ code, details });
}
