import { testFaults } from "./runCells";

jest.setTimeout(180_000);

describe("the kubeconfig of a cluster, while", () => {
  testFaults("kubeconfig");
});
