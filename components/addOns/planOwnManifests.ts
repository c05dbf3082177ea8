import type { InlineManifest } from "../../provider";
import {
  eachKnownAddOn,
  hasObjectsAfterBootstrap,
  isOurs,
  type KnownChoices,
} from "./addOnChoices";
import type { PodIdentity } from "./common/addOnPods";
import type { AddOnScope } from "./common/addOnScope";
import { manifestOf } from "./common/manifestOf";
import { ownObjects, type ObjectsPart } from "./ownObjects";
import type { AddOnName } from "./registry";

/** The IAM roles of add-ons. An add-on without one uses its machine's role. */
export type AddOnIdentities = Partial<Readonly<Record<AddOnName, PodIdentity>>>;

/**
 * The manifests of the add-ons that this package writes objects for, always in the same order.
 *
 * @param part which of their objects. Default: all but those that only fit after the bootstrap
 */
export function planOwnManifests(
  scope: AddOnScope,
  choices: KnownChoices,
  identities: AddOnIdentities = {},
  part: ObjectsPart = "objects",
): InlineManifest[] {
  const hasPart = part === "objects" ? isOurs : hasObjectsAfterBootstrap;
  return eachKnownAddOn(choices, (name, addOn, args) =>
    hasPart(addOn, args)
      ? [
          {
            name: addOn.manifestName,
            contents: manifestOf(
              ownObjects(addOn, scope, args, { identity: identities[name] }, part),
            ),
          },
        ]
      : [],
  );
}
