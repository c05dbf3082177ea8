import { toCosiResource, type CosiResource } from "./cosiResource";
import type { Event__Output } from "./gen/cosi/resource/Event";

/** What a watch tells; `Resource` is a resource as text, or one that was read as its type. */
export type WatchEvent<Resource> =
  | { kind: "created"; resource: Resource }
  | { kind: "updated"; resource: Resource; old: Resource | undefined }
  | { kind: "destroyed"; resource: Resource }
  /** All resources that there were have been told of as created. */
  | { kind: "bootstrapped" }
  /** The node gave the watch up; nothing follows. */
  | { kind: "errored"; error: string };

/** The event of a message; none for a message that only shows that the connection lives. */
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
  if (!resource) throw new Error(`an event ${eventType} holds no resource`);
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
