import { testFaults } from "./runCells";

describe("another configuration of a machine, while", () => {
  testFaults("applyUpdate");
});
