import * as pulumi from "@pulumi/pulumi";
import type { Stack } from "@pulumi/pulumi/automation";
import { EngineEvents, engineFailure } from "../engine/engineFailure";
import type { Properties } from "../properties";
import { plaintextOf } from "../stateSecret";
import { type WrittenResource, nameOf, providerUrn } from "./pendingOperations";
import type { Ask } from "./searches/search";

/** Calls AWS with the credentials of one of the stack's providers. */
export type AskAs = (provider: string) => Ask;

/**
 * Calls AWS through the engine's own AWS provider, with the stack's settings, region and
 * credentials: in a preview of a program without resources. It changes nothing and takes no lock.
 *
 * @param providers the resources `pulumi:providers:aws` of the stack, with secrets in clear
 * @throws CommandFailure with the engine's reason, if the program couldn't call AWS
 */
export async function askAws<Value>(
  stack: Stack,
  providers: readonly WrittenResource[],
  work: (askAs: AskAs) => Promise<Value>,
): Promise<Value> {
  let answer: { readonly value: Value } | undefined;
  const program = async () => {
    const made = new Map<string, pulumi.ProviderResource>();
    const optionsFor = (reference: string): pulumi.InvokeOptions => {
      const urn = providerUrn(reference);
      const recorded = providers.find((each) => each.urn === urn);
      const version = recorded?.inputs?.version;
      const name = nameOf(urn);
      // The engine creates default providers itself, from the stack's settings.
      if (recorded === undefined || name.startsWith("default")) {
        return typeof version === "string" ? { version } : {};
      }
      const provider = made.get(urn) ?? providerLike(name, recorded);
      made.set(urn, provider);
      return { provider };
    };
    const value = await work((reference) => async (token, args) => {
      const result: unknown = await pulumi.runtime.invoke(token, args, optionsFor(reference));
      return result as Properties;
    });
    answer = { value };
  };
  const events = new EngineEvents();
  try {
    await stack.preview({ program, onEvent: events.add });
  } catch (error) {
    // A preview without resources would delete all of them, which the engine refuses for protected
    // ones.
    if (answer === undefined) {
      throw engineFailure(error, events.all);
    }
  }
  if (answer === undefined) {
    throw new Error("the engine didn't run the program that calls AWS");
  }
  return answer.value;
}

/**
 * A provider with the settings of a recorded one.
 *
 * @param recorded with its secrets in clear
 */
export function providerLike(name: string, { inputs = {} }: WrittenResource): AwsProvider {
  const { version, ...settings } = inputs;
  const options = typeof version === "string" ? { version } : {};
  return new AwsProvider("aws", name, plain(settings), options);
}

/** A provider with the settings of another one of the stack. */
class AwsProvider extends pulumi.ProviderResource {}

/** A provider's settings without the marks of secrets. */
function plain(settings: Properties): pulumi.Inputs {
  return Object.fromEntries(
    Object.entries(settings).map(([name, value]) => {
      const plaintext = plaintextOf(value);
      return [name, plaintext === undefined ? value : pulumi.secret(JSON.parse(plaintext))];
    }),
  );
}
