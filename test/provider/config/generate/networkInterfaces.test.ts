import type { NetworkInterface } from "../../../../provider/config/generate/networkInterfaces";
import { contracts, expectGenerated, problemsOf } from "./expectGenerated";

const networkInterfaces: readonly NetworkInterface[] = [
  { name: "eth0", dhcp: true, mtu: 9001 },
  {
    name: "private",
    selector: { macAddress: "06:5A:3F:*", driver: "ena" },
    addresses: ["10.0.1.5/24", "fd00::5/64"],
    routes: [
      { gateway: "10.0.1.1", metric: 2048 },
      { destination: "10.20.0.0/16", gateway: "10.0.1.1", source: "10.0.1.5" },
      { gateway: "fd00::1" },
      { destination: "::/0", gateway: "fd00::2" },
    ],
  },
  { name: "eth2" },
];

test.each(["v1.10", "v1.11"])("%s has interfaces in machine.network", (contract) => {
  expectGenerated(
    contract,
    { networkInterfaces },
    {
      config: {
        machine: {
          network: {
            interfaces: [
              { interface: "eth0", mtu: 9001, dhcp: true },
              {
                deviceSelector: { permanentAddr: "06:5a:3f:*", driver: "ena" },
                addresses: ["10.0.1.5/24", "fd00::5/64"],
                routes: [
                  { network: "0.0.0.0/0", gateway: "10.0.1.1", metric: 2048 },
                  { network: "10.20.0.0/16", gateway: "10.0.1.1", source: "10.0.1.5" },
                  { network: "::/0", gateway: "fd00::1" },
                  { network: "::/0", gateway: "fd00::2" },
                ],
              },
              { interface: "eth2" },
            ],
          },
        },
      },
    },
  );
});

test.each(["v1.12", "v1.13"])("%s has documents for each interface", (contract) => {
  expectGenerated(
    contract,
    { networkInterfaces },
    {
      documents: [
        { kind: "LinkConfig", name: "eth0", mtu: 9001 },
        { kind: "DHCPv4Config", name: "eth0" },
        {
          kind: "LinkAliasConfig",
          name: "private",
          selector: {
            match: 'glob("06:5a:3f:*", mac(link.permanent_addr)) && link.driver == "ena"',
          },
        },
        {
          kind: "LinkConfig",
          name: "private",
          addresses: [{ address: "10.0.1.5/24" }, { address: "fd00::5/64" }],
          routes: [
            { gateway: "10.0.1.1", metric: 2048 },
            { destination: "10.20.0.0/16", gateway: "10.0.1.1", source: "10.0.1.5" },
            { gateway: "fd00::1" },
            { gateway: "fd00::2" },
          ],
        },
        { kind: "LinkConfig", name: "eth2" },
      ],
    },
  );
});

test.each(contracts)("%s selects by every given property", (contract) => {
  const selector = { macAddress: "06:5a:3f:00:00:01", busPath: "0000:00:06.*", pciId: "1D0F:EC20" };
  const { macAddress, busPath, pciId } = selector;
  expectGenerated(
    contract,
    { networkInterfaces: [{ name: "net0", selector }] },
    contract === "v1.10" || contract === "v1.11"
      ? {
          config: {
            machine: {
              network: {
                interfaces: [
                  { deviceSelector: { permanentAddr: macAddress, busPath, pciID: pciId } },
                ],
              },
            },
          },
        }
      : {
          documents: [
            {
              kind: "LinkAliasConfig",
              name: "net0",
              selector: {
                match: `mac(link.permanent_addr) == "${macAddress}" && glob("${busPath}", link.bus_path) && link.pciid == "${pciId}"`,
              },
            },
            { kind: "LinkConfig", name: "net0" },
          ],
        },
  );
  expectGenerated(contract, { networkInterfaces: [] }, {});
});

test("all problems are reported", () => {
  expect(
    problemsOf({
      networkInterfaces: [
        { name: "", mtu: 12.5, addresses: ["10.0.0.5", "0.0.0.0/8"] },
        { name: "eth1", selector: {} },
        { name: "eth1", routes: [{ destination: "10.0.0.0", gateway: "router" }] },
        {
          name: "private",
          selector: { macAddress: "ena", driver: 'x" || true' },
          routes: [{ gateway: "fd00::1", source: "10.0.0.5" }],
        },
      ],
    }),
  ).toEqual([
    'networkInterfaces[0].name: "" is not a name for a network interface: up to 15 characters, like "eth1"',
    'networkInterfaces[0].addresses[0]: "10.0.0.5" is not an address with the length of its network, like "10.0.0.5/24"',
    'networkInterfaces[0].addresses[1]: "0.0.0.0/8" is not an address with the length of its network, like "10.0.0.5/24"',
    "networkInterfaces[0].mtu: 12.5 is not a size of packets: 68 to 65536 bytes, 9001 at most on AWS",
    'networkInterfaces[1].name: "eth1" can be the kernel\'s own name of another interface: with a selector use another name, like "private"',
    "networkInterfaces[1].selector: selects nothing: set at least one of macAddress, busPath, pciId, driver",
    'networkInterfaces[2].name: "eth1" is there twice: put all settings of an interface into one entry',
    'networkInterfaces[2].routes[0].destination: "10.0.0.0" is not a network in CIDR notation, like "10.20.0.0/16"',
    'networkInterfaces[2].routes[0].gateway: "router" is not an IP address, like "10.0.0.1"',
    'networkInterfaces[3].selector.macAddress: "ena" is not a hardware address, like "06:5a:3f:12:34:56" or "06:5a:3f:*"',
    'networkInterfaces[3].selector.driver: "x\\" || true" is not a pattern: letters, digits, ":", ".", "-", "_" and "*"',
    "networkInterfaces[3].routes[0]: mixes IPv4 and IPv6: destination, gateway and source are of one version",
  ]);
});
