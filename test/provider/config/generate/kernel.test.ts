import { contracts, expectGenerated, problemsOf } from "./expectGenerated";

test.each(contracts)("%s has kernel settings and modules in machine", (contract) => {
  expectGenerated(
    contract,
    {
      sysctls: { "vm.max_map_count": "262144", "net.ipv4.conf.eth0/1.rp_filter": "0" },
      kernelModules: [{ name: "nvme_tcp" }, { name: "br-netfilter", parameters: ["a=1", "b"] }],
    },
    {
      config: {
        machine: {
          sysctls: { "net.ipv4.conf.eth0/1.rp_filter": "0", "vm.max_map_count": "262144" },
          kernel: {
            modules: [{ name: "nvme_tcp" }, { name: "br-netfilter", parameters: ["a=1", "b"] }],
          },
        },
      },
    },
  );
  expectGenerated(contract, { sysctls: {} }, {});
});

test("numbers from settings without types become text", () => {
  const sysctls = { "vm.swappiness": 0 as never };
  expectGenerated(
    "v1.12",
    { sysctls },
    { config: { machine: { sysctls: { "vm.swappiness": "0" } } } },
  );
});

test("all problems are reported", () => {
  expect(
    problemsOf({
      sysctls: { vm: "1", "vm max": "1", "vm.x": " " },
      kernelModules: [{ name: "/lib/a.ko" }, { name: "dm_crypt" }, { name: "dm_crypt" }],
    }),
  ).toEqual([
    'sysctls.vm: "vm" is not the name of a kernel setting, like "vm.max_map_count"',
    'sysctls["vm max"]: "vm max" is not the name of a kernel setting, like "vm.max_map_count"',
    'sysctls["vm.x"]: is empty: write the value as text, or leave it out',
    'kernelModules[0].name: "/lib/a.ko" is not the name of a kernel module, like "nvme_tcp": write it without path, ending and parameters',
    'kernelModules[2].name: "dm_crypt" is there twice: put all its parameters into one entry',
  ]);
});
