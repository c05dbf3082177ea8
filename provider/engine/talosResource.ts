import * as pulumi from "@pulumi/pulumi";
import { GIVEN, URN } from "./checkedInputs";
import { dynamicStub, type HandlerName } from "./dynamicStub";
import { omitTraces } from "./omitTraces";
import { misspeltArguments, refuse } from "./refuse";
import { seenIn } from "./seenValues";
import { dynamicType, pluginType } from "./talosTypes";
import { type IsMarkable, SEEN } from "./unseenValues";
import { COMPLETE, isServedByPlugin, pluginReference } from "./usePlugin";

/** How one kind of Talos resource is registered. */
export interface TalosKind<Args> {
  readonly name: HandlerName;
  /** Names of inputs and outputs that the state encrypts. */
  readonly secrets: readonly string[];
  /**
   * Whether values of an argument that the program marked as secret are in `markedValues`. Default:
   * the kind has none.
   */
  readonly isMarkable?: IsMarkable;
  /**
   * The handler's inputs, with defaults, and outputs as `undefined`. A secret input that `check`
   * computes is `pulumi.secret("")`, or the engine keeps it in clear.
   */
  readonly inputsOf: (args: Args) => pulumi.Inputs;
}

/**
 * Base of every Talos resource: a dynamic resource of type
 * `pulumi-nodejs:dynamic/talos:<handler name>` whose provider is the constant stub. Or, if the
 * stack uses the plugin, a resource of type `talos-aws:index:<handler name>`.
 */
export abstract class TalosResource extends pulumi.CustomResource {
  protected constructor(
    kind: TalosKind<never>,
    name: string,
    args: object,
    opts: pulumi.CustomResourceOptions | undefined,
  ) {
    refuse(`the ${kind.name} "${name}"`, misspeltArguments(pluginType(kind.name), args));
    const byPlugin = isServedByPlugin();
    const types = [dynamicType(kind.name), pluginType(kind.name)] as const;
    const [type, other] = byPlugin ? [types[1], types[0]] : types;
    // Subclasses pass a kind and arguments that belong together.
    const given = kind.inputsOf(args as never);
    const own = byPlugin
      ? { [COMPLETE]: true }
      : {
          __provider: dynamicStub(kind.name),
          [URN]: ownUrn(name, type, opts?.parent),
          [GIVEN]: plainNames(given),
        };
    const { isMarkable } = kind;
    const seen = isMarkable && { [SEEN]: seenIn(given, isMarkable) };
    const inputs = { ...given, ...own, ...seen };
    const options = pulumi.mergeOptions(
      {
        additionalSecretOutputs: [...kind.secrets],
        // A stack can change to the plugin and back.
        aliases: [{ type: other }],
        ...(byPlugin && pluginReference()),
      },
      opts,
    );
    const restoreTraces = omitTraces();
    try {
      super(type, name, inputs, options);
    } finally {
      restoreTraces();
    }
  }
}

/**
 * Names of the inputs with plain values. The engine tells dynamic resources nothing of `ignoreChanges`.
 * So one of these that does not arrive was named there. Of an output only the engine knows whether it
 * has a value.
 */
function plainNames(inputs: pulumi.Inputs): string[] {
  return Object.keys(inputs).filter((name) => {
    const value: unknown = inputs[name];
    const isLater = pulumi.Output.isInstance(value) || value instanceof Promise;
    return value !== undefined && value !== null && !isLater;
  });
}

/**
 * A resource's own URN, which the engine doesn't pass to dynamic resources. It is a promise: as an
 * output of a parent component, it would make the resource wait for all of the component's
 * children, and so for itself. `pulumi.createUrn` would make five outputs for each resource.
 */
async function ownUrn(
  name: string,
  type: string,
  parent: pulumi.Resource | undefined,
): Promise<string> {
  const stack = `urn:pulumi:${pulumi.getStack()}::${pulumi.getProject()}`;
  const inParent = parent === undefined ? "" : await typesOf(parent);
  return `${stack}::${inParent}${type}::${name}`;
}

/** The types of each parent's URN, because many resources have the same. */
const typesOfParents = new WeakMap<pulumi.Resource, Promise<string>>();

/** The types in the URN of a parent, as they begin those of its children. */
function typesOf(parent: pulumi.Resource): Promise<string> {
  const types =
    typesOfParents.get(parent) ??
    new Promise<string>((resolve) => {
      parent.urn.apply((urn) => {
        const [, , inUrn = ""] = urn.split("::");
        resolve(inUrn === "pulumi:pulumi:Stack" ? "" : `${inUrn}$`);
      });
    });
  typesOfParents.set(parent, types);
  return types;
}

/** Options as a program gives them: any value, at any depth, may be an output of a resource. */
export type InputsOf<Options> = { [Name in keyof Options]: InputOf<Options[Name]> };

type InputOf<Value> = pulumi.Input<Inside<Value>>;

type Inside<Value> = Value extends readonly (infer Item)[]
  ? readonly InputOf<Item>[]
  : Value extends object
    ? InputsOf<Value>
    : Value;
