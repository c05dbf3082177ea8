import type { KubernetesObject } from "../../provider/kubernetes";
import type { AddOn, KnownSettings, ObjectParts } from "./common/addOn";
import type { AddOnPods } from "./common/addOnPodsArgs";
import type { AddOnScope } from "./common/addOnScope";
import { releaseFor } from "./common/releases";
import { withImages } from "./common/withImages";

/** A part of an add-on's own objects. */
export type ObjectsPart = "objects" | "objectsAfterBootstrap";

/** The objects of this package's own for an add-on, with the user's images. */
export function ownObjects<Args extends object>(
  addOn: AddOn<Args>,
  scope: AddOnScope,
  args: KnownSettings<Args>,
  parts: Partial<Pick<ObjectParts, "identity" | "certificates">> = {},
  part: ObjectsPart = "objects",
): readonly KubernetesObject[] {
  const { [part]: objects, releases } = addOn;
  const { version, images }: AddOnPods = args;
  if (objects === undefined || releases === undefined) {
    return [];
  }
  const release = version ?? releaseFor(releases, scope.kubernetesVersion);
  return withImages(objects(scope, args, { certificates: "", ...parts, version: release }), images);
}
