import { testFaults } from "./runCells";

describe("the reset of a machine, while", () => {
  testFaults("reset");
});
