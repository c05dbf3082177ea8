import { credentials } from "@grpc/grpc-js";
import * as pulumi from "@pulumi/pulumi";
import { PluginAttach } from "@pulumi/pulumi/proto/plugin_pb";
import { ResourceProviderClient } from "@pulumi/pulumi/proto/provider_grpc_pb";
import type * as messages from "@pulumi/pulumi/proto/provider_pb";
import { onceKnown } from "../components/onceKnown";
import { duringCall, type EngineCall } from "../provider/base";
import type { CheckFailure } from "../provider/engine";
import { messageOf, type Properties, propertiesOf } from "../provider/rpc";
import { isComponent } from "../provider/schema";
import { checkArguments, checkFunctionArguments } from "./checkArguments";
import { callComponent, constructComponent } from "./components";
import { refuseComponent } from "./refuseComponent";
import { withSchemaNames } from "./schemaNames";
import { writtenNames } from "./writtenNames";

/** The longest message of Pulumi's protocols. Source: pulumi v3.230.0, sdk/nodejs/runtime. */
export const MAX_MESSAGE_BYTES = 400 * 1024 * 1024;

/**
 * The part of the plugin that creates components. Pulumi's SDK implements it (`provider.main`), but
 * not the rest of what this plugin needs: previews, cancellation, secrets and imports. So the SDK
 * serves components on a port of its own in this process, and the plugin passes calls on to it.
 */
export class ComponentServer {
  private constructor(
    private readonly client: ResourceProviderClient,
    private readonly work: ComponentWork,
  ) {}

  /** Starts it. A process can have one. What components wait for ends when the engine cancels. */
  static async start(call: AttachedCall): Promise<ComponentServer> {
    const work: ComponentWork = { call, problems: new Map() };
    const construct: typeof constructComponent = async (...args) => {
      const problems: string[] = [];
      const fail = (problem: string) => problems.push(problem);
      const made = await duringCall({ ...work.call, fail }, () => constructComponent(...args));
      work.problems.set(await onceKnown(made.urn), problems);
      return made;
    };
    const port = await printedBy(() =>
      pulumi.provider.main({ construct, call: callComponent }, [call.engine]),
    );
    return new ComponentServer(
      new ResourceProviderClient(`127.0.0.1:${port}`, credentials.createInsecure(), {
        "grpc.max_receive_message_length": MAX_MESSAGE_BYTES,
        "grpc.max_send_message_length": MAX_MESSAGE_BYTES,
      }),
      work,
    );
  }

  /** Has it work for an engine, if it does not do so already. */
  attach(call: AttachedCall): Promise<void> {
    const isAttached = this.work.call.engine === call.engine;
    this.work.call = call;
    if (isAttached) {
      return Promise.resolve();
    }
    const request = new PluginAttach();
    request.setAddress(call.engine);
    return new Promise((resolve, reject) => {
      this.client.attach(request, (error) => (error === null ? resolve() : reject(error)));
    });
  }

  /** Creates a component. Its own problems fail it when all of its children are registered. */
  async construct(request: messages.ConstructRequest): Promise<messages.ConstructResponse> {
    const wrong = takeArguments(request);
    if (wrong !== undefined) {
      return refuseComponent(request, wrong);
    }
    const response = await this.passOn(request);
    if (typeof response === "string") {
      return refuseComponent(request, response);
    }
    const problems = this.work.problems.get(response.getUrn()) ?? [];
    return problems.length > 0
      ? refuseComponent(
          request,
          `"${request.getName()}" can't be created: see the errors of its resources`,
        )
      : response;
  }

  /** The component that the SDK has created, or why it can't. */
  private passOn(request: messages.ConstructRequest): Promise<messages.ConstructResponse | string> {
    return new Promise((resolve) => {
      // The engine would print the details of an error too: each problem again, with the value, which may be secret.
      this.client.construct(request, (error, answer) =>
        resolve(error === null ? answer : error.details),
      );
    });
  }

  /**
   * Calls a method of a component.
   *
   * @throws Error for arguments that the method doesn't have
   */
  async call(request: messages.CallRequest): Promise<messages.CallResponse> {
    const failures = checkFunctionArguments(
      request.getTok(),
      propertiesOf(request.getArgs()),
      writtenNames(),
    );
    if (failures.length > 0) {
      throw new Error(`${request.getTok()} can't be called:\n${listed(failures)}`);
    }
    return new Promise((resolve, reject) => {
      this.client.call(request, (error, response) =>
        error === null ? resolve(response) : reject(error),
      );
    });
  }
}

/**
 * Gives the arguments of a component the names of the schema.
 *
 * @returns what is wrong with them by the schema; undefined if nothing is
 */
function takeArguments(request: messages.ConstructRequest): string | undefined {
  const type = request.getType();
  if (!isComponent(type)) {
    return undefined;
  }
  const written = writtenNames();
  const given = (request.getInputs()?.toJavaScript() ?? {}) as Properties;
  const inputs = messageOf(withSchemaNames(type, given, written));
  request.setInputs(inputs);
  const failures = checkArguments(type, propertiesOf(inputs), written);
  const kind = type.split(":").pop() ?? type;
  return failures.length === 0
    ? undefined
    : `the ${kind} "${request.getName()}" can't be made of these arguments:\n${listed(failures)}`;
}

function listed(failures: readonly CheckFailure[]): string {
  return failures.map(({ property, reason }) => `  - ${property}: ${reason}`).join("\n");
}

/** A call of an engine whose address is known. */
export interface AttachedCall extends EngineCall {
  readonly engine: string;
}

interface ComponentWork {
  call: AttachedCall;
  /** What is wrong with components, by their URN. */
  readonly problems: Map<string, readonly string[]>;
}

/** What `start` prints. The SDK prints its port, which here must not be the plugin's first line. */
async function printedBy(start: () => Promise<void>): Promise<string> {
  const { log } = console;
  let printed = "";
  console.log = (text: string) => (printed = text);
  try {
    await start();
  } finally {
    console.log = log;
  }
  return printed;
}
