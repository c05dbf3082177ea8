import { userKubeconfig } from "../../../cli/engine/clusterOutputs";

describe("the kubeconfig of a user", () => {
  it("is the one of that name, and no other", () => {
    const outputs = { kubeconfig: "admin", kubeconfigs: { anna: "anna's", constructor: "c" } };
    expect(userKubeconfig("production", outputs, "anna")).toBe("anna's");
    for (const user of ["berta", "toString", ""]) {
      expect(() => userKubeconfig("production", outputs, user)).toThrow(
        `the stack "production" has no kubeconfig for "${user}" in its output "kubeconfigs": it has "anna", "constructor". Add the user to the setting kubeconfigs`,
      );
    }
    for (const none of [{}, { kubeconfigs: null }, { kubeconfigs: "anna" }]) {
      expect(() => userKubeconfig("production", none, "anna")).toThrow(/: it has none\. Add/);
    }
  });
});
