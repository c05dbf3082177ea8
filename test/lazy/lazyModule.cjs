/** What stands for a module until something of it is looked at. */
module.exports = (load) => {
  let module;
  const loaded = () => (module ??= load());
  return new Proxy(
    {},
    {
      // Said without loading it: compiled code asks this of every module.
      get: (_, name) => (name === "__esModule" ? true : loaded()[name]),
      has: (_, name) => name in loaded(),
      ownKeys: () => Reflect.ownKeys(loaded()),
      getOwnPropertyDescriptor: (_, name) => {
        const property = Reflect.getOwnPropertyDescriptor(loaded(), name);
        return property && { ...property, configurable: true };
      },
    },
  );
};
