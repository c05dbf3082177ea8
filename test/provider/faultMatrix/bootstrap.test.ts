import { testFaults } from "./runCells";

describe("the bootstrap of etcd, while", () => {
  testFaults("bootstrap");
});
