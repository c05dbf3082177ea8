import * as pulumi from "@pulumi/pulumi";
import { URN } from "./checkedInputs";
import { dynamicStub, type HandlerName } from "./dynamicStub";

/**
 * Base of every Talos resource: a dynamic resource of type
 * `pulumi-nodejs:dynamic/talos:<handler name>` whose provider is the constant stub.
 */
export abstract class TalosResource extends pulumi.CustomResource {
  /**
   * @param props inputs and, as `undefined`, outputs; an input computed in `check` that is a
   *   secret is passed as `pulumi.secret("")`, else the engine keeps it in clear
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
 * A resource's own URN, which the engine doesn't tell dynamic resources. A promise, as the output of a
 * parent component would make the resource wait for all of that component's children: for itself.
 */
function ownUrn(name: string, type: string, parent: pulumi.Resource | undefined): Promise<string> {
  return new Promise((resolve) => {
    pulumi.createUrn(name, type, parent).apply(resolve);
  });
}
