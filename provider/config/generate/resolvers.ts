import { inputProblems } from "../configError";
import { isDnsName } from "../rules/names";
import { isAddress } from "../schema/formats";
import type { Generator } from "./generator";
import { configDocument, mapping } from "./mapping";

/** How machines resolve names. */
export interface ResolversOptions {
  /** Addresses of DNS servers. Default: from DHCP. */
  readonly nameservers?: readonly string[] | undefined;
  /** Search domains for names without dots. Default: from DHCP. */
  readonly searchDomains?: readonly string[] | undefined;
}

/** The DNS settings of a machine: `ResolverConfig`, or `machine.network` in older contracts. */
export const resolvers: Generator<ResolversOptions> = {
  check: ({ nameservers = [], searchDomains = [] }) => [
    ...nameservers.flatMap((address, index) =>
      inputProblems(
        ["nameservers", index],
        isAddress(address)
          ? undefined
          : `${JSON.stringify(address)} is not an IP address, like "10.0.0.2"`,
      ),
    ),
    ...searchDomains.flatMap((domain, index) =>
      inputProblems(
        ["searchDomains", index],
        isDnsName(domain)
          ? undefined
          : `${JSON.stringify(domain)} is not a DNS name, like "example.com"`,
      ),
    ),
  ],

  generate({ nameservers = [], searchDomains = [] }, { networkDocuments }) {
    if (nameservers.length === 0 && searchDomains.length === 0) {
      return {};
    }
    if (!networkDocuments) {
      return { config: mapping({ machine: { network: { nameservers, searchDomains } } }) };
    }
    return {
      documents: [
        configDocument("ResolverConfig", {
          nameservers: nameservers.map((address) => ({ address })),
          // An empty list would say that there are none, whatever DHCP says.
          searchDomains: searchDomains.length === 0 ? undefined : { domains: searchDomains },
        }),
      ],
    };
  },
};
