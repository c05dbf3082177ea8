import { expectGenerated, problemsOf } from "./expectGenerated";

const timeServers = ["169.254.169.123", "time.example.com"];

test.each(["v1.10", "v1.11"])("%s has time servers in machine.time", (contract) => {
  expectGenerated(
    contract,
    { timeServers },
    { config: { machine: { time: { servers: timeServers } } } },
  );
  expectGenerated(contract, { timeServers: [] }, {});
});

test.each(["v1.12", "v1.13"])("%s has time servers in a document", (contract) => {
  expectGenerated(
    contract,
    { timeServers },
    { documents: [{ kind: "TimeSyncConfig", ntp: { servers: timeServers } }] },
  );
  expectGenerated(contract, { timeServers: [] }, {});
});

test("what is no time server is said", () => {
  expect(problemsOf({ timeServers: ["169.254.169.123", "ntp://time"] })).toEqual([
    'timeServers[1]: "ntp://time" is no time server: write a name or an IP address, like "169.254.169.123"',
  ]);
});
