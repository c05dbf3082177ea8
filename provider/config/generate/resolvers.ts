import { inputProblems } from "../configError";
import { isAddress } from "../formats";
import { isDnsName } from "../rules/names";
import type { Generator } from "./generator";
import { configDocument, mapping } from "./mapping";

/** The DNS settings of a machine: `ResolverConfig`, or `machine.network` in older contracts. */
export const resolvers: Generator = {
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
          searchDomains: { domains: searchDomains },
        }),
      ],
    };
  },
};
