import { testFaults } from "./runCells";

describe("the kubeconfig of a cluster, while", () => {
  testFaults("kubeconfig");
});
