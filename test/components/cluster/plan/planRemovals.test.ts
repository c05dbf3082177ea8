import { ADD_ON_NAMES, ADD_ONS } from "../../../../components/addOns/registry";
import { chooseAddOns } from "../../../../components/cluster/addOns/chooseAddOns";
import { planRemovals } from "../../../../components/cluster/plan/planRemovals";
import { standardCluster } from "../standardCluster";

describe("what a cluster loses with an add-on", () => {
  it.each(ADD_ON_NAMES)("is said of %s, as the end of a sentence", (name) => {
    const { removal } = ADD_ONS[name];
    expect(removal).toMatch(/^\S.{30,}[^.]$/);
  });

  it("is recorded of those that it has, and of roles for pods", () => {
    const { flux, metricsServer } = ADD_ONS;
    const addOns = {
      flux: { url: "https://git.example.com/fleet", path: "clusters/a" },
      metricsServer: true,
      cilium: false,
    };
    expect(planRemovals(chooseAddOns({ ...standardCluster, addOns }))).toEqual({
      "addOns.flux": flux.removal,
      "addOns.metricsServer": metricsServer.removal,
      "addOns.servingCertificateApprover": ADD_ONS.servingCertificateApprover.removal,
    });
    expect(planRemovals(chooseAddOns({ ...standardCluster, irsa: {} }))).toMatchObject({
      irsa: expect.stringContaining("credentials") as string,
    });
    expect(planRemovals(chooseAddOns(standardCluster))).toEqual({});
  });
});
