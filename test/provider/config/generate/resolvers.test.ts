import { expectGenerated, problemsOf } from "./expectGenerated";

const nameservers = ["10.0.0.2", "fd00::2"];
const searchDomains = ["example.com"];

test.each(["v1.10", "v1.11"])("%s has resolvers in machine.network", (contract) => {
  expectGenerated(
    contract,
    { nameservers, searchDomains },
    { config: { machine: { network: { nameservers, searchDomains } } } },
  );
  expectGenerated(contract, { nameservers: [] }, {});
});

test.each(["v1.12", "v1.13"])("%s has resolvers in a document", (contract) => {
  const addresses = [{ address: "10.0.0.2" }, { address: "fd00::2" }];
  expectGenerated(
    contract,
    { nameservers, searchDomains },
    {
      documents: [
        {
          kind: "ResolverConfig",
          nameservers: addresses,
          searchDomains: { domains: searchDomains },
        },
      ],
    },
  );
  expectGenerated(
    contract,
    { nameservers },
    { documents: [{ kind: "ResolverConfig", nameservers: addresses }] },
  );
  expectGenerated(contract, { searchDomains: [] }, {});
});

test("all problems are reported", () => {
  expect(problemsOf({ nameservers: ["10.0.0.2", "dns.a"], searchDomains: ["a b"] })).toEqual([
    'nameservers[1]: "dns.a" is not an IP address, like "10.0.0.2"',
    'searchDomains[0]: "a b" is not a DNS name, like "example.com"',
  ]);
});
