import type * as pulumi from "@pulumi/pulumi";

/** Options as a program gives them: any value, at any depth, may be an output of a resource. */
export type InputsOf<Options> = { [Name in keyof Options]: InputOf<Options[Name]> };

type InputOf<Value> = pulumi.Input<Inside<Value>>;

type Inside<Value> = Value extends readonly (infer Item)[]
  ? readonly InputOf<Item>[]
  : Value extends object
    ? InputsOf<Value>
    : Value;
