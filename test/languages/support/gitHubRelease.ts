import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:https";
import type { AddressInfo } from "node:net";
import { basename, join } from "node:path";
import { fromBase64, nodeKey } from "../../../provider/pki/pem";
import { createOsCa, issueServerCertificate } from "../../provider/api/testPki";

/** A release on GitHub, as engines ask for it. */
export interface GitHubRelease {
  /** Has the engine ask here instead of GitHub. */
  readonly environment: Readonly<Record<string, string>>;
  readonly close: () => void;
}

/**
 * Serves one release as GitHub's API does. Source: pulumi v3.230.0, sdk/go/common/workspace/plugins.go: `githubSource`.
 *
 * @param source `github://api.github.com/<owner>/<repository>`, as in the schema
 * @param folder gets the certificate that the engine has to trust
 * @param files paths of the release's files
 */
export async function serveGitHubRelease(
  source: string,
  version: string,
  folder: string,
  files: readonly string[],
): Promise<GitHubRelease> {
  const repository = new URL(source).pathname;
  const ca = await createOsCa();
  const { crt, key } = await issueServerCertificate(ca);
  const server = createServer(
    { cert: fromBase64(crt), key: nodeKey(key) },
    ({ url = "" }, response) => {
      const { port } = server.address() as AddressInfo;
      const assets = files.map((file) => ({
        name: basename(file),
        url: `https://127.0.0.1:${port}/assets/${basename(file)}`,
      }));
      const file = files.find((each) => url === `/assets/${basename(each)}`);
      if (url === `/repos${repository}/releases/tags/v${version}`) {
        response.end(JSON.stringify({ tag_name: `v${version}`, assets }));
      } else if (file !== undefined) {
        response.end(readFileSync(file));
      } else {
        response.statusCode = 404;
        response.end();
      }
    },
  );
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  const certificates = join(folder, "certificates");
  mkdirSync(certificates, { recursive: true });
  writeFileSync(join(certificates, "ca.pem"), fromBase64(ca.crt));
  return {
    environment: {
      PULUMI_PLUGIN_DOWNLOAD_URL_OVERRIDES: `^${source}$=github://127.0.0.1:${port}${repository}`,
      // Beside the computer's own certificates, with which pip asks for packages.
      SSL_CERT_DIR: certificates,
      // Not even the Registry is asked.
      PULUMI_DISABLE_REGISTRY_RESOLVE: "true",
    },
    close: () => {
      server.close();
    },
  };
}
