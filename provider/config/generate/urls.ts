import { type InputProblem, inputProblems } from "../configError";
import type { Path } from "../path";
import { isFetchable } from "../schema/formats";
import { quoteUrl } from "../secrets/quote";

/** All problems of manifest URLs, which machines fetch without credentials. */
export function checkManifestUrls(path: Path, urls: readonly string[]): InputProblem[] {
  return urls.flatMap((url, index) =>
    inputProblems(
      [...path, index],
      isFetchable(url)
        ? undefined
        : `${quoteUrl(url)} is not a URL that can be fetched, like "https://example.com/manifest.yaml"`,
    ),
  );
}
