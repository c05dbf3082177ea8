import { testFaults } from "./runCells";

jest.setTimeout(180_000);

describe("the health of a cluster, while", () => {
  testFaults("health");
});
