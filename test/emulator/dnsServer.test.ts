import { Resolver } from "node:dns/promises";
import { type DnsServer, startDnsServer } from "../../emulator/dnsServer";

const known: Readonly<Record<string, readonly string[]>> = {
  "k8s.local.talos.example": ["127.64.200.1", "127.64.200.2"],
  "only6.talos.example": ["2001:db8::1"],
};

let server: DnsServer;
let resolver: Resolver;

beforeEach(async () => {
  server = await startDnsServer((name) =>
    name === "broken.talos.example"
      ? Promise.reject(new Error("the cloud is gone"))
      : Promise.resolve(known[name] ?? []),
  );
  resolver = new Resolver({ timeout: 2_000, tries: 1 });
  resolver.setServers([server.address]);
});
afterEach(() => server.close());

describe("the emulated cloud's DNS", () => {
  it("answers with every IPv4 address of a name", async () => {
    expect(await resolver.resolve4("k8s.local.talos.example")).toEqual([
      "127.64.200.1",
      "127.64.200.2",
    ]);
  });

  it.each(["nobody.talos.example", "only6.talos.example", "broken.talos.example"])(
    "has no address for %s",
    async (name) => {
      await expect(resolver.resolve4(name)).rejects.toMatchObject({ code: "ENOTFOUND" });
    },
  );

  it("has no other records of a known name", async () => {
    await expect(resolver.resolve6("k8s.local.talos.example")).rejects.toMatchObject({
      code: "ENODATA",
    });
  });
});
