import { credentials } from "@grpc/grpc-js";
import * as pulumi from "@pulumi/pulumi";
import { PluginAttach } from "@pulumi/pulumi/proto/plugin_pb";
import { ResourceProviderClient } from "@pulumi/pulumi/proto/provider_grpc_pb";
import type * as messages from "@pulumi/pulumi/proto/provider_pb";
import { callComponent, constructComponent } from "./components";

/** The longest message of Pulumi's protocols. Source: pulumi v3.230.0, sdk/nodejs/runtime. */
export const MAX_MESSAGE_BYTES = 400 * 1024 * 1024;

/**
 * The part of the plugin that creates components. Pulumi's SDK implements it (`provider.main`), but
 * not the rest of what this plugin needs: previews, cancellation, secrets and imports. So the SDK
 * serves components on a port of its own in this process, and the plugin passes calls on to it.
 */
export class ComponentServer {
  private constructor(private readonly client: ResourceProviderClient) {}

  /** Starts it. A process can have one. */
  static async start(engine: string): Promise<ComponentServer> {
    const port = await printedBy(() =>
      pulumi.provider.main({ construct: constructComponent, call: callComponent }, [engine]),
    );
    return new ComponentServer(
      new ResourceProviderClient(`127.0.0.1:${port}`, credentials.createInsecure(), {
        "grpc.max_receive_message_length": MAX_MESSAGE_BYTES,
        "grpc.max_send_message_length": MAX_MESSAGE_BYTES,
      }),
    );
  }

  /** Has it work for another engine. */
  attach(engine: string): Promise<void> {
    const request = new PluginAttach();
    request.setAddress(engine);
    return new Promise((resolve, reject) => {
      this.client.attach(request, (error) => (error === null ? resolve() : reject(error)));
    });
  }

  /** Creates a component. */
  construct(request: messages.ConstructRequest): Promise<messages.ConstructResponse> {
    return new Promise((resolve, reject) => {
      this.client.construct(request, (error, response) =>
        error === null ? resolve(response) : reject(error),
      );
    });
  }

  /** Calls a method of a component. */
  call(request: messages.CallRequest): Promise<messages.CallResponse> {
    return new Promise((resolve, reject) => {
      this.client.call(request, (error, response) =>
        error === null ? resolve(response) : reject(error),
      );
    });
  }
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
