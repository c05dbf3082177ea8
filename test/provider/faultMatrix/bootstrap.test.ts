import { testFaults } from "./runCells";

jest.setTimeout(180_000);

describe("the bootstrap of etcd, while", () => {
  testFaults("bootstrap");
});
