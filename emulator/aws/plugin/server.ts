import {
  Server,
  ServerCredentials,
  type handleUnaryCall,
  type UntypedServiceImplementation,
} from "@grpc/grpc-js";
import { PluginInfo } from "@pulumi/pulumi/proto/plugin_pb";
import { ResourceProviderService } from "@pulumi/pulumi/proto/provider_grpc_pb";
import * as messages from "@pulumi/pulumi/proto/provider_pb";
import { Empty } from "google-protobuf/google/protobuf/empty_pb";
import type { Struct } from "google-protobuf/google/protobuf/struct_pb";
import { unary as answered, failureMessages, messageOf, propertiesOf } from "../../../provider/rpc";
import { changedProperties, replacingProperties, type PropertyChange } from "./diff";
import { functionKinds } from "./functions/functionKinds";
import { answerCreate, HOLD_VARIABLE } from "./heldCreates";
import { checkProviderConfig, providerReplaces, resolveProviderConfig } from "./providerConfig";
import { resourceKinds } from "./resources/resourceKinds";
import { PartialResultError, Substitute } from "./substitute";
import type { Values } from "./value";

/** The release of the AWS provider whose properties and rules the substitute follows. */
const FOLLOWED_VERSION = "7.48.0";

type UnaryHandler = handleUnaryCall<unknown, unknown>;

const MAX_MESSAGE_BYTES = 400 * 1024 * 1024;
const { PropertyDiff, DiffResponse } = messages;

/** A running substitute. */
export interface ServedPlugin {
  /** On 127.0.0.1. */
  readonly port: number;
  /** Closes every connection. */
  readonly close: () => void;
}

/**
 * Serves Pulumi's provider protocol on a free port of 127.0.0.1. Each connection has its own provider and
 * configuration, so several engines can share a server.
 */
export async function servePlugin(environment: NodeJS.ProcessEnv): Promise<ServedPlugin> {
  const server = new Server({
    "grpc.max_receive_message_length": MAX_MESSAGE_BYTES,
    "grpc.max_send_message_length": MAX_MESSAGE_BYTES,
  });
  const providers = new Map<string, UntypedServiceImplementation>();
  const providerOf = (connection: string): UntypedServiceImplementation => {
    const provider = providers.get(connection) ?? implementation(environment);
    providers.set(connection, provider);
    return provider;
  };
  const handlers = Object.keys(implementation(environment)).map(
    (method): [string, UnaryHandler] => [
      method,
      (call, answer) => (providerOf(call.getPeer())[method] as UnaryHandler)(call, answer),
    ],
  );
  server.addService(ResourceProviderService, Object.fromEntries(handlers));
  return new Promise((resolve, reject) => {
    server.bindAsync("127.0.0.1:0", ServerCredentials.createInsecure(), (error, port) => {
      if (error === null) {
        resolve({
          port,
          close: () => {
            server.forceShutdown();
          },
        });
      } else {
        reject(error);
      }
    });
  });
}

function implementation(environment: NodeJS.ProcessEnv): UntypedServiceImplementation {
  let substitute: Substitute | undefined;
  const configured = (): Substitute => {
    if (substitute === undefined) {
      throw new Error("the engine asked for a resource before it configured the provider");
    }
    return substitute;
  };
  return {
    getPluginInfo: unary<Empty, PluginInfo>(() => {
      const info = new PluginInfo();
      info.setVersion(FOLLOWED_VERSION);
      return info;
    }),
    attach: unary<unknown, Empty>(() => new Empty()),
    cancel: unary<Empty, Empty>(() => {
      substitute?.cancel();
      return new Empty();
    }),
    getSchema: unary<unknown, messages.GetSchemaResponse>(() => {
      const response = new messages.GetSchemaResponse();
      response.setSchema("{}");
      return response;
    }),
    checkConfig: unary<messages.CheckRequest, messages.CheckResponse>((request) => {
      const response = new messages.CheckResponse();
      // Returned unchanged, so that secrets stay marked.
      response.setInputs(request.getNews());
      response.setFailuresList(failureMessages(checkProviderConfig(values(request.getNews()))));
      return response;
    }),
    diffConfig: unary<messages.DiffRequest, messages.DiffResponse>((request) => {
      const replaces = providerReplaces(
        values(request.getOldInputs() ?? request.getOlds()),
        values(request.getNews()),
      );
      const response = new DiffResponse();
      response.setReplacesList(replaces);
      response.setDiffsList(replaces);
      return response;
    }),
    configure: unary<messages.ConfigureRequest, messages.ConfigureResponse>((request) => {
      const config = resolveProviderConfig(values(request.getArgs()), environment);
      substitute?.close();
      substitute = new Substitute(resourceKinds, functionKinds, config);
      const response = new messages.ConfigureResponse();
      response.setSupportspreview(true);
      response.setSupportsAutonamingConfiguration(true);
      // The engine takes secrets out before, and marks outputs of the same name again afterwards.
      // Every output that derives from an input here has that input's name.
      response.setAcceptsecrets(false);
      return response;
    }),
    check: unary<messages.CheckRequest, messages.CheckResponse>((request) => {
      const proposed = request.getAutonaming()?.getProposedName();
      const { inputs, failures: found } = configured().check(
        typeOf(request),
        values(request.getOlds()),
        values(request.getNews()),
        {
          pulumiName: request.getUrn().split("::").slice(3).join("::"),
          randomSeed: request.getRandomseed_asU8(),
          ...(proposed !== undefined && proposed !== "" && { proposedName: proposed }),
        },
      );
      const response = new messages.CheckResponse();
      response.setInputs(messageOf(inputs));
      response.setFailuresList(failureMessages(found));
      return response;
    }),
    diff: unary<messages.DiffRequest, messages.DiffResponse>((request) => {
      const state = values(request.getOlds());
      const inputs = request.hasOldInputs() ? values(request.getOldInputs()) : state;
      const diff = configured().diff(typeOf(request), { inputs, state }, values(request.getNews()));
      const changed = changedProperties(diff);
      const response = new DiffResponse();
      response.setChanges(
        changed.length === 0
          ? DiffResponse.DiffChanges.DIFF_NONE
          : DiffResponse.DiffChanges.DIFF_SOME,
      );
      response.setDiffsList(changed);
      response.setReplacesList(replacingProperties(diff));
      response.setDeletebeforereplace(diff.deleteBeforeReplace);
      response.setHasdetaileddiff(true);
      for (const [path, change] of Object.entries(diff.changes)) {
        response.getDetaileddiffMap().set(path, propertyDiff(change));
      }
      return response;
    }),
    create: unary<messages.CreateRequest, messages.CreateResponse>(async (request) => {
      const live = await configured().create(typeOf(request), values(request.getProperties()), {
        preview: request.getPreview(),
        timeoutSeconds: request.getTimeout(),
      });
      if (!request.getPreview()) {
        await answerCreate(environment[HOLD_VARIABLE], request.getUrn());
      }
      const response = new messages.CreateResponse();
      response.setId(live.id);
      response.setProperties(messageOf(live.state));
      return response;
    }),
    read: unary<messages.ReadRequest, messages.ReadResponse>(async (request) => {
      const live = await configured().read(typeOf(request), request.getId(), {
        inputs: values(request.getInputs()),
        state: values(request.getProperties()),
      });
      const response = new messages.ReadResponse();
      if (live !== undefined) {
        response.setId(live.id);
        response.setProperties(messageOf(live.state));
        response.setInputs(messageOf(live.inputs));
      }
      return response;
    }),
    update: unary<messages.UpdateRequest, messages.UpdateResponse>(async (request) => {
      const state = values(request.getOlds());
      const live = await configured().update(
        typeOf(request),
        request.getId(),
        { inputs: request.hasOldInputs() ? values(request.getOldInputs()) : state, state },
        values(request.getNews()),
        { preview: request.getPreview(), timeoutSeconds: request.getTimeout() },
      );
      const response = new messages.UpdateResponse();
      response.setProperties(messageOf(live.state));
      return response;
    }),
    delete: unary<messages.DeleteRequest, Empty>(async (request) => {
      await configured().delete(
        typeOf(request),
        request.getId(),
        { inputs: values(request.getOldInputs()), state: values(request.getProperties()) },
        { timeoutSeconds: request.getTimeout() },
      );
      return new Empty();
    }),
    invoke: unary<messages.InvokeRequest, messages.InvokeResponse>(async (request) => {
      const answer = await configured().invoke(request.getTok(), values(request.getArgs()));
      const response = new messages.InvokeResponse();
      response.setReturn(messageOf(answer));
      return response;
    }),
  };
}

function unary<Request, Response>(
  handle: (request: Request) => Response | Promise<Response>,
): handleUnaryCall<Request, Response> {
  return answered(handle, (error) =>
    error instanceof PartialResultError
      ? {
          id: error.live.id,
          properties: messageOf(error.live.state),
          inputs: messageOf(error.live.inputs),
        }
      : undefined,
  );
}

function typeOf(request: { getType(): string; getUrn(): string }): string {
  const type = request.getType();
  return type === "" ? (request.getUrn().split("::")[2]?.split("$").pop() ?? "") : type;
}

function values(encoded: Struct | undefined): Values {
  // Messages hold nothing but values of JSON.
  return propertiesOf(encoded) as Values;
}

function propertyDiff(change: PropertyChange): messages.PropertyDiff {
  const kinds = {
    add: [PropertyDiff.Kind.ADD, PropertyDiff.Kind.ADD_REPLACE],
    delete: [PropertyDiff.Kind.DELETE, PropertyDiff.Kind.DELETE_REPLACE],
    update: [PropertyDiff.Kind.UPDATE, PropertyDiff.Kind.UPDATE_REPLACE],
  } as const;
  const diff = new PropertyDiff();
  diff.setKind(kinds[change.kind][change.replaces ? 1 : 0]);
  diff.setInputdiff(change.inputDiffers);
  return diff;
}
