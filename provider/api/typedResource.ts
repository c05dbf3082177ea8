import { parse } from "yaml";
import { freeze } from "../config/frozenMemo";
import { LruCache } from "../config/lruCache";
import type { CosiResource } from "./cosiResource";
import { ShapeError, type SpecShape } from "./specShape";

/** A type of resource with a known spec. */
export interface ResourceKind<Spec> {
  readonly namespace: string;
  readonly type: string;
  /** The id, for types of which a node has at most one resource. */
  readonly id?: string;
  readonly shape: SpecShape<Spec>;
}

/** A resource with its spec as an object. */
export interface TypedResource<Spec> extends Omit<CosiResource, "spec"> {
  readonly spec: Spec;
}

/** Waiting reads the same specs again and again, and a YAML parser is slow. */
const parsed = new LruCache<unknown>(100);

/**
 * Reads the spec of a resource. Raises an `Error` that names each field with an unexpected value
 * for Talos v1.10 to v1.13; it contains no values.
 */
export function readTypedResource<Spec>(
  { shape }: ResourceKind<Spec>,
  resource: CosiResource,
): TypedResource<Spec> {
  let reason: string;
  try {
    // Talos writes texts such as 12e5 without quotes, so the shape decides what is a number.
    const spec = parsed.get(resource.spec, () =>
      freeze<unknown>(parse(resource.spec, { schema: "failsafe" })),
    );
    return { ...resource, spec: shape(spec, "") };
  } catch (error) {
    reason = error instanceof ShapeError ? error.message : "it is not YAML";
  }
  // Without the cause, because an error about YAML quotes the text.
  throw new Error(`the spec of ${resource.type} "${resource.id}" cannot be read: ${reason}`);
}
