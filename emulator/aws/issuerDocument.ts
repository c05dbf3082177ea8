import { once } from "node:events";
import { get, type IncomingMessage } from "node:http";
import { text } from "node:stream/consumers";

/** Where AWS' accounts publish the keys of their tokens. */
const DOMAIN = ".tokens.sts.global.api.aws";

/**
 * Reads a document of an account's issuer from the emulated AWS. Machines of the emulated cloud reach no other
 * issuer.
 *
 * @param url the document's, as tokens and other documents name it
 * @throws Error if there is none
 */
export async function readIssuerDocument(motoUrl: string, url: string): Promise<string> {
  const { host, pathname } = new URL(url);
  if (!host.endsWith(DOMAIN)) {
    throw new Error(`the emulated cloud doesn't reach ${host}`);
  }
  const [response] = (await once(
    get(new URL(pathname, motoUrl), { headers: { host }, agent: false }),
    "response",
  )) as [IncomingMessage];
  const body = await text(response);
  if (response.statusCode !== 200) {
    throw new Error(`${url} answers ${response.statusCode ?? 0}`);
  }
  return body;
}
