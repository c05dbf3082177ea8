import { testFaults } from "./runCells";

describe("the health of a cluster, while", () => {
  testFaults("health");
});
