import { isUnknown } from "../base/unknown";
import type { CheckFailure } from "../engine/handler";

/** The problem of the input `serverUrl`, the URL of a Kubernetes API. */
export function checkServerUrl(serverUrl: string): CheckFailure[] {
  const isFine =
    isUnknown(serverUrl) || (URL.canParse(serverUrl) && new URL(serverUrl).protocol === "https:");
  const reason = `"${serverUrl}" is no URL of a Kubernetes API: give it as https://<host>:<port>`;
  return isFine ? [] : [{ property: "serverUrl", reason }];
}
