import { isMapping } from "../base/mapping";
import type { KubernetesObject } from "./kubernetesObject";

/**
 * A Secret with its `stringData` in `data`, any other object as it is. The API server moves the texts
 * itself, but then the manager doesn't own them: it would neither remove a key that is left out, nor see
 * that others have changed one.
 *
 * Source: Kubernetes v1.35, `core/v1.Secret`, `pkg/apis/core/v1/conversion.go`; a real server of v1.37.2.
 *
 * @returns the same object if a value is no text, which the API server refuses
 */
export function withTextsInData(object: KubernetesObject): KubernetesObject {
  const { stringData, data, ...rest } = object;
  const given = data ?? {};
  if (object.kind !== "Secret" || !isMapping(stringData) || !isMapping(given)) {
    return object;
  }
  const texts = Object.entries(stringData);
  if (!texts.every((entry): entry is [string, string] => typeof entry[1] === "string")) {
    return object;
  }
  const encoded = texts.map(([key, text]) => [key, Buffer.from(text).toString("base64")] as const);
  return { ...rest, data: { ...given, ...Object.fromEntries(encoded) } };
}
