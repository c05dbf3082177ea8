import type { YamlValue } from "../../../provider/config";
import { IssuerKeys, type ReadDocument } from "./issuerKeys";
import { type ClientIdentity, partOfToken } from "./serviceAccountToken";
import {
  authenticatorsIn,
  type Claims,
  issuerOf,
  type JwtAuthenticator,
  userIn,
} from "./structuredAuthentication";

/** The tokens of other issuers that an API server accepts, by its AuthenticationConfiguration. */
export class PeoplesTokens {
  private readonly authenticators: readonly {
    readonly authenticator: JwtAuthenticator;
    readonly keys: IssuerKeys;
  }[];

  /** @param configuration undefined accepts none */
  constructor(configuration: YamlValue | undefined, read: ReadDocument) {
    this.authenticators = authenticatorsIn(configuration).map((authenticator) => ({
      authenticator,
      keys: new IssuerKeys(issuerOf(authenticator), read),
    }));
  }

  /** The user of a token; undefined if it isn't accepted, or its issuer can't be reached. */
  async userOf(token: string): Promise<ClientIdentity | undefined> {
    const claims = partOfToken(token.split(".")[1] ?? "") as Claims;
    const found = this.authenticators.find(
      ({ authenticator }) => issuerOf(authenticator) === claims.iss,
    );
    try {
      return found !== undefined && (await found.keys.hasSigned(token))
        ? userIn(found.authenticator, claims, new Date())
        : undefined;
    } catch {
      return undefined;
    }
  }
}
