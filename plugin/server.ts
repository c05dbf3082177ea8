import {
  Server,
  ServerCredentials,
  type handleUnaryCall,
  type UntypedServiceImplementation,
} from "@grpc/grpc-js";
import { type PluginAttach, PluginInfo } from "@pulumi/pulumi/proto/plugin_pb";
import { ResourceProviderService } from "@pulumi/pulumi/proto/provider_grpc_pb";
import * as messages from "@pulumi/pulumi/proto/provider_pb";
import { Empty } from "google-protobuf/google/protobuf/empty_pb";
import { duringCall, type EngineCall, packageVersion } from "../provider/base";
import { messageOf, type PartialResource, propertiesOf, secretNames, unary } from "../provider/rpc";
import { schemaText } from "../provider/schema";
import { ComponentServer, MAX_MESSAGE_BYTES } from "./componentServer";
import { checkConfiguration, configure } from "./configuration";
import { invoke } from "./functions";
import {
  check,
  create,
  createdPartly,
  diff,
  read,
  remove,
  update,
  updatedPartly,
} from "./resources";

/** A running plugin. */
export interface ServedPlugin {
  /** On 127.0.0.1. */
  readonly port: number;
  /** Closes every connection. */
  readonly close: () => void;
}

/** How `unary` finds what a failed operation leaves behind. */
type PartialOf<Request> = [
  partialOf?: (error: unknown, request: Request) => PartialResource | undefined,
];

type AnyHandler = handleUnaryCall<unknown, unknown>;

/**
 * Serves Pulumi's provider protocol on a free port of 127.0.0.1. Each connection is an engine of its
 * own, which cancels only its own calls.
 *
 * @param engine address of the engine that starts the plugin. Default: engines attach
 */
export async function servePlugin(engine?: string): Promise<ServedPlugin> {
  const server = new Server({
    "grpc.max_receive_message_length": MAX_MESSAGE_BYTES,
    "grpc.max_send_message_length": MAX_MESSAGE_BYTES,
  });
  const components = new SharedComponents();
  const sessions = new Map<string, UntypedServiceImplementation>();
  const sessionOf = (connection: string): UntypedServiceImplementation => {
    const session = sessions.get(connection) ?? implementation(engine, components);
    sessions.set(connection, session);
    return session;
  };
  const methods = Object.keys(implementation(engine, components)).map(
    (method): [string, AnyHandler] => [
      method,
      (call, answer) => (sessionOf(call.getPeer())[method] as AnyHandler)(call, answer),
    ],
  );
  server.addService(ResourceProviderService, Object.fromEntries(methods));
  return new Promise((resolve, reject) => {
    server.bindAsync("127.0.0.1:0", ServerCredentials.createInsecure(), (error, port) => {
      if (error === null) {
        resolve({ port, close: () => server.forceShutdown() });
      } else {
        reject(error);
      }
    });
  });
}

function implementation(
  startedBy: string | undefined,
  components: SharedComponents,
): UntypedServiceImplementation {
  const cancellation = new AbortController();
  let engine = startedBy;
  /** Has what a handler does tell the engine, and end when the engine cancels. */
  const answered = <Request, Response>(
    handle: (request: Request) => Promise<Response>,
    ...partialOf: PartialOf<Request>
  ): handleUnaryCall<Request, Response> =>
    unary(
      (request) => duringCall({ engine, cancelled: cancellation.signal }, () => handle(request)),
      ...partialOf,
    );
  return {
    getPluginInfo: unary<Empty, PluginInfo>(() => {
      const info = new PluginInfo();
      info.setVersion(packageVersion());
      return info;
    }),
    attach: unary<PluginAttach, Empty>((request) => {
      engine = request.getAddress();
      return new Empty();
    }),
    cancel: unary<Empty, Empty>(() => {
      cancellation.abort();
      return new Empty();
    }),
    getSchema: unary<unknown, messages.GetSchemaResponse>(() => {
      const response = new messages.GetSchemaResponse();
      response.setSchema(schemaText(packageVersion()));
      return response;
    }),
    checkConfig: unary(checkConfiguration),
    diffConfig: unary<messages.DiffRequest, messages.DiffResponse>(() => {
      const response = new messages.DiffResponse();
      response.setChanges(messages.DiffResponse.DiffChanges.DIFF_NONE);
      return response;
    }),
    configure: unary<messages.ConfigureRequest, messages.ConfigureResponse>((request) => {
      configure(propertiesOf(request.getArgs()));
      const response = new messages.ConfigureResponse();
      response.setSupportspreview(true);
      response.setAcceptsecrets(true);
      response.setAcceptresources(true);
      response.setAcceptoutputs(true);
      return response;
    }),
    check: answered(check),
    diff: answered(diff),
    create: answered(create, createdPartly),
    read: answered(read),
    update: answered(update, updatedPartly),
    delete: answered(async (request: messages.DeleteRequest) => {
      await remove(request);
      return new Empty();
    }),
    invoke: answered(async (request: messages.InvokeRequest) => {
      const response = new messages.InvokeResponse();
      const secrets = secretNames(request.getArgs());
      const answer = await invoke(request.getTok(), propertiesOf(request.getArgs()));
      response.setReturn(messageOf(answer, () => secrets.size > 0));
      return response;
    }),
    construct: passedOn(async (request: messages.ConstructRequest) =>
      (await components.of({ engine, cancelled: cancellation.signal })).construct(request),
    ),
    call: passedOn(async (request: messages.CallRequest) =>
      (await components.of({ engine, cancelled: cancellation.signal })).call(request),
    ),
  };
}

/** The one server of components of this process, for one engine after another. */
class SharedComponents {
  private started: Promise<ComponentServer> | undefined;

  async of({ engine, cancelled }: EngineCall): Promise<ComponentServer> {
    if (engine === undefined) {
      throw new Error("an engine must attach before it creates components");
    }
    const call = { engine, cancelled };
    this.started ??= ComponentServer.start(call);
    const server = await this.started;
    await server.attach(call);
    return server;
  }
}

/** A method that another server answers, also with its errors. */
function passedOn<Request, Response>(
  handle: (request: Request) => Promise<Response>,
): handleUnaryCall<Request, Response> {
  return (call, callback) => {
    handle(call.request).then(
      (response) => callback(null, response),
      (error: unknown) => callback(error as Error),
    );
  };
}
