import { parse } from "yaml";
import type { CosiResource } from "./cosiResource";
import { ShapeError, type SpecShape } from "./specShape";

/** A type of resource whose spec is known. */
export interface ResourceKind<Spec> {
  readonly namespace: string;
  readonly type: string;
  /** The id, if a node has at most one. */
  readonly id?: string;
  readonly shape: SpecShape<Spec>;
}

/** A resource with its spec as an object. */
export interface TypedResource<Spec> extends Omit<CosiResource, "spec"> {
  readonly spec: Spec;
}

/**
 * Reads the spec of a resource. Raises an `Error` that names each field which is not what Talos
 * v1.10 to v1.13 writes there; it holds no values.
 */
export function readTypedResource<Spec>(
  { shape }: ResourceKind<Spec>,
  resource: CosiResource,
): TypedResource<Spec> {
  try {
    // Talos writes texts such as 12e5 without quotes, so what is a number is for the shape to say.
    const spec: unknown = parse(resource.spec, { schema: "failsafe" });
    return { ...resource, spec: shape(spec, "") };
  } catch (error) {
    const reason = error instanceof ShapeError ? error.message : "it is not YAML";
    throw new Error(`the spec of ${resource.type} "${resource.id}" cannot be read: ${reason}`);
  }
}
