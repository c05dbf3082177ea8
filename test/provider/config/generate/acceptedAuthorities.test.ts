import { contracts, expectGenerated } from "./expectGenerated";

test.each(contracts)("%s accepts other authorities in machine and cluster", (contract) => {
  for (const machineType of ["controlplane", "worker"] as const) {
    expectGenerated(
      contract,
      { machineType, acceptedAuthorities: { talosCa: ["YQ=="], kubernetesCa: ["Yg==", "Yw=="] } },
      {
        config: {
          machine: { acceptedCAs: [{ crt: "YQ==" }] },
          cluster: { acceptedCAs: [{ crt: "Yg==" }, { crt: "Yw==" }] },
        },
      },
    );
    expectGenerated(contract, { machineType, acceptedAuthorities: { talosCa: [] } }, {});
  }
});
