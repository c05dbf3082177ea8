import * as pulumi from "@pulumi/pulumi";

/** The value of an input, once it is known: in a preview perhaps never. */
export function onceKnown<Value>(input: pulumi.Input<Value>): Promise<Value> {
  return new Promise((resolve) => {
    pulumi.output(input).apply((value) => resolve(value as Value));
  });
}
