import { testFaults } from "./runCells";

describe("the first configuration of a machine, while", () => {
  testFaults("applyFirst");
});
