import { toCosiResource, type CosiResource } from "./cosiResource";
import type { Event__Output } from "./gen/cosi/resource/Event";

/** An event of a watch. `Resource` is a resource as text, or parsed as its type. */
export type WatchEvent<Resource> =
  | { kind: "created"; resource: Resource }
  | { kind: "updated"; resource: Resource; old: Resource | undefined }
  | { kind: "destroyed"; resource: Resource }
  /** All existing resources were reported as created. */
  | { kind: "bootstrapped" }
  /** The node ended the watch; no event follows. */
  | { kind: "errored"; error: string };

/** The event of a message; undefined for a message that only keeps the connection alive. */
export function readWatchEvent<Resource>(
  { eventType, resource, old, error }: Event__Output,
  read: (resource: CosiResource) => Resource,
): WatchEvent<Resource>[] {
  switch (eventType) {
    case "BOOTSTRAPPED":
      return [{ kind: "bootstrapped" }];
    case "ERRORED":
      return [{ kind: "errored", error: error ?? "" }];
    case "NOOP":
      return [];
  }
  if (!resource) {
    throw new Error(`an event ${eventType} contains no resource`);
  }
  const current = read(toCosiResource(resource));
  switch (eventType) {
    case "CREATED":
      return [{ kind: "created", resource: current }];
    case "UPDATED":
      return [
        { kind: "updated", resource: current, old: old ? read(toCosiResource(old)) : undefined },
      ];
    case "DESTROYED":
      return [{ kind: "destroyed", resource: current }];
  }
}
