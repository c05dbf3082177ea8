import { createSecureContext, type SecureContext } from "node:tls";
import type { ClientCredentials } from "../pki/clientCredentials";
import { fromBase64, nodeKey } from "../pki/pem";
import type { ExpectedServer } from "./certificateProblem";
import type { Resource__Output as ResourceMessage } from "./gen/cosi/resource/Resource";
import type { Metadata__Output as MessageMetadata } from "./gen/common/Metadata";
import { parseEndpoint, parseNode } from "./endpoint";
import { readKubeconfigArchive } from "./kubeconfigArchive";
import { NodeCaller, type CallOptions, type Method } from "./nodeCaller";
import { NodeCredentials } from "./nodeCredentials";
import { protocol } from "./protocol";
import { redactServerMessage } from "./serverMessage";
import { TalosApiError, type CallContext } from "./talosApiError";

export type { CallOptions } from "./nodeCaller";

/** How to reach a configured node. */
export interface TalosClientOptions {
  /**
   * `host` or `host:port`, port 50000 by default. The server's certificate must name the host:
   * Talos' has the node's hostname, its own addresses, and machine.certSANs.
   */
  endpoint: string;
  /**
   * The node that is to answer, if it is another than the endpoint: then the endpoint, which must
   * be a control plane node, forwards the calls. Without port.
   */
  node?: string;
  credentials: ClientCredentials;
}

/** What Version tells. */
export interface TalosVersion {
  /** Such as `v1.12.1`. */
  tag: string;
  /** Such as `amd64`. */
  architecture: string;
  /** Such as `aws`; empty if the node does not say. */
  platform: string;
}

/** What is to be applied. */
export interface ApplyRequest {
  /** The machine configuration as YAML. Secret. */
  data: string;
  /** The API's own default is REBOOT, so it is always given. In maintenance mode AUTO, REBOOT and TRY do the same, the others are refused. */
  mode: "AUTO" | "REBOOT" | "NO_REBOOT" | "STAGED" | "TRY";
  /** Default: false. */
  dryRun?: boolean;
}

/** What became of it. */
export interface ApplyResult {
  /** What AUTO came to: REBOOT or NO_REBOOT. In maintenance mode always REBOOT, which says nothing. */
  mode: string;
  /** The node's own sentence, without configuration it quotes. */
  modeDetails: string;
  warnings: string[];
}

/** A service of Talos, such as etcd. */
export interface ServiceStatus {
  id: string;
  /** Such as `Running`, `Preparing`, `Finished`. */
  state: string;
  healthy: boolean;
  /** True while health was not checked yet, and for services that have no check. */
  healthUnknown: boolean;
  lastMessage: string;
}

/** A member of the etcd cluster. */
export interface EtcdMember {
  /** 64 bits as a decimal number; etcd's own tools show it in hexadecimal. */
  id: string;
  hostname: string;
  peerUrls: string[];
  clientUrls: string[];
  /** True until it has caught up and votes. */
  isLearner: boolean;
}

/** A resource of Talos' internal state (COSI). */
export interface CosiResource {
  namespace: string;
  type: string;
  id: string;
  version: string;
  /** `running`, or `tearing down`. */
  phase: string;
  /** The spec as YAML text. */
  spec: string;
}

/**
 * A client of one node's API.
 *
 * Every call has a deadline (15 s by default), can be cancelled, and fails with a `TalosApiError`.
 * No call is repeated by itself. A client holds a connection: `close` it.
 */
export class TalosClient {
  private constructor(private readonly caller: NodeCaller) {}

  /**
   * A client for a configured node, by mutual TLS against the cluster's CA. Nothing is dialled
   * before the first call. Raises an `Error` if the endpoint, the node or the credentials cannot
   * be read.
   */
  static connect({ endpoint, node, credentials }: TalosClientOptions): TalosClient {
    const secureContext = createSecureContext({
      ca: fromBase64(credentials.ca),
      cert: fromBase64(credentials.crt),
      key: nodeKey(credentials.key),
    });
    return TalosClient.create(endpoint, node, "clusterNode", secureContext);
  }

  /**
   * A client for a node in maintenance mode. Neither side proves who it is: whoever holds the
   * address gets what is sent. A server that is not in maintenance mode gets nothing.
   */
  static connectInsecure({ endpoint }: { endpoint: string }): TalosClient {
    return TalosClient.create(endpoint, undefined, "maintenanceNode", createSecureContext());
  }

  private static create(
    endpointText: string,
    nodeText: string | undefined,
    expected: ExpectedServer,
    secureContext: SecureContext,
  ): TalosClient {
    const endpoint = parseEndpoint(endpointText);
    const node = nodeText === undefined ? endpoint.host : parseNode(nodeText);
    const forwardTo = node === endpoint.host ? undefined : node;
    const createCredentials = () => new NodeCredentials(endpoint, expected, secureContext);
    return new TalosClient(new NodeCaller(endpoint, forwardTo, createCredentials));
  }

  /** Closes the connection; calls that run fail with code `cancelled`, and so do later ones. */
  close(): void {
    this.caller.close();
  }

  /** Which Talos the node runs. `unimplemented` in maintenance mode. */
  async version(call?: CallOptions): Promise<TalosVersion> {
    const { version, platform } = await this.callMachine(machine.Version, {}, call);
    return {
      tag: version?.tag ?? "",
      architecture: version?.arch ?? "",
      platform: platform?.name ?? "",
    };
  }

  /**
   * Hands the node a machine configuration. A success says that it was accepted, not that the node
   * runs it. `invalidArgument` if Talos finds fault with it.
   */
  async applyConfiguration(request: ApplyRequest, call?: CallOptions): Promise<ApplyResult> {
    const { mode, dryRun = false } = request;
    const data = Buffer.from(request.data, "utf8");
    const reply = await this.callMachine(machine.ApplyConfiguration, { data, mode, dryRun }, call);
    return {
      mode: reply.mode,
      modeDetails: redactServerMessage(reply.modeDetails),
      warnings: reply.warnings.map(redactServerMessage),
    };
  }

  /**
   * Starts a new etcd cluster on this control plane node.
   *
   * Never repeat it blindly: a second call while etcd starts destroys it for good (Talos v1.12.1),
   * and on another control plane node it makes a second cluster. After a failure look at
   * `services` first. `alreadyExists` if the node has etcd data.
   */
  async bootstrap(call?: CallOptions): Promise<void> {
    await this.callMachine(machine.Bootstrap, {}, call);
  }

  /**
   * A new administrator's kubeconfig, as YAML. Secret. Control plane nodes answer as soon as they
   * have their configuration: it does not mean that Kubernetes is up.
   */
  async kubeconfig(call?: CallOptions): Promise<string> {
    const context = this.caller.context(machine.Kubeconfig, call);
    const chunks = await this.caller.collect(machine.Kubeconfig, {}, call);
    try {
      for (const { metadata } of chunks) throwNodeError(metadata, context);
      return readKubeconfigArchive(Buffer.concat(chunks.map(({ bytes }) => bytes)));
    } catch (error) {
      throw TalosApiError.from(error, context);
    }
  }

  /** The services of the node. */
  async services(call?: CallOptions): Promise<ServiceStatus[]> {
    const { services } = await this.callMachine(machine.ServiceList, {}, call);
    return services.map(({ id, state, health }) => ({
      id,
      state,
      healthy: health?.healthy ?? false,
      healthUnknown: health?.unknown ?? true,
      lastMessage: health?.lastMessage ?? "",
    }));
  }

  /** The members of etcd as this control plane node sees them. Does not answer while etcd has no quorum. */
  async etcdMembers(call?: CallOptions): Promise<EtcdMember[]> {
    const { members } = await this.callMachine(machine.EtcdMemberList, {}, call);
    return members;
  }

  /** One resource. `notFound` if there is none of that id. */
  async getResource(
    ref: { namespace: string; type: string; id: string },
    call?: CallOptions,
  ): Promise<CosiResource> {
    const { resource } = await this.caller.unary(state.Get, { ...ref, options: {} }, call);
    if (resource) return toCosiResource(resource);
    throw TalosApiError.from(emptyReply(), this.caller.context(state.Get, call));
  }

  /** All resources of a type in a namespace; none if there are none. */
  async listResources(
    ref: { namespace: string; type: string },
    call?: CallOptions,
  ): Promise<CosiResource[]> {
    const replies = await this.caller.collect(state.List, { ...ref, options: {} }, call);
    return replies.flatMap(({ resource }) => (resource ? [toCosiResource(resource)] : []));
  }

  /** Calls a method whose reply is a list of messages, one for each node that was asked: here one. */
  private async callMachine<Request, Message extends { metadata: MessageMetadata | null }>(
    method: Method<Request, { messages: Message[] }>,
    request: NoInfer<Request>,
    call: CallOptions | undefined,
  ): Promise<Message> {
    const { messages } = await this.caller.unary(method, request, call);
    const context = this.caller.context(method, call);
    for (const { metadata } of messages) throwNodeError(metadata, context);
    const [message] = messages;
    if (message) return message;
    throw TalosApiError.from(emptyReply(), context);
  }
}

const machine = protocol.machine.MachineService.service;
const state = protocol.cosi.resource.State.service;

function throwNodeError(metadata: MessageMetadata | null, context: CallContext): void {
  const error = TalosApiError.fromMessage(metadata, context);
  if (error) throw error;
}

function emptyReply(): Error {
  return new Error("the reply is empty");
}

function toCosiResource({ metadata, spec }: ResourceMessage): CosiResource {
  return {
    namespace: metadata?.namespace ?? "",
    type: metadata?.type ?? "",
    id: metadata?.id ?? "",
    version: metadata?.version ?? "",
    phase: metadata?.phase ?? "",
    spec: spec?.yamlSpec ?? "",
  };
}
