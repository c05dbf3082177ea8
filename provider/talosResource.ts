import * as pulumi from "@pulumi/pulumi";
import { URN } from "./checkedInputs";
import { dynamicStub, type HandlerName } from "./dynamicStub";

/**
 * Base of every Talos resource: a dynamic resource of type
 * `pulumi-nodejs:dynamic/talos:<handler name>` whose provider is the constant stub.
 */
export abstract class TalosResource extends pulumi.CustomResource {
  /**
   * @param props inputs and, as `undefined`, outputs. Pass `pulumi.secret("")` for a secret input
   *   that `check` computes, or the engine keeps it in clear
   * @param secretOutputs names of the outputs to encrypt in the state
   */
  protected constructor(
    handler: HandlerName,
    name: string,
    props: pulumi.Inputs,
    secretOutputs: string[],
    opts: pulumi.CustomResourceOptions | undefined,
  ) {
    const type = `pulumi-nodejs:dynamic/talos:${handler}`;
    super(
      type,
      name,
      {
        ...props,
        __provider: dynamicStub(handler),
        [URN]: ownUrn(name, type, opts?.parent),
      },
      pulumi.mergeOptions({ additionalSecretOutputs: secretOutputs }, opts),
    );
  }
}

/**
 * A resource's own URN, which the engine doesn't pass to dynamic resources. It is a promise: as an
 * output of a parent component, it would make the resource wait for all of the component's
 * children, and so for itself.
 */
function ownUrn(name: string, type: string, parent: pulumi.Resource | undefined): Promise<string> {
  return new Promise((resolve) => {
    pulumi.createUrn(name, type, parent).apply(resolve);
  });
}

/** Options as a program gives them: any value, at any depth, may be an output of a resource. */
export type InputsOf<Options> = { [Name in keyof Options]: InputOf<Options[Name]> };

type InputOf<Value> = pulumi.Input<Inside<Value>>;

type Inside<Value> = Value extends readonly (infer Item)[]
  ? readonly InputOf<Item>[]
  : Value extends object
    ? InputsOf<Value>
    : Value;
