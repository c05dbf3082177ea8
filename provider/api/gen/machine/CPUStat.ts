// Original file: provider/api/proto/machine/machine.proto


export interface CPUStat {
  'user'?: (number | string);
  'nice'?: (number | string);
  'system'?: (number | string);
  'idle'?: (number | string);
  'iowait'?: (number | string);
  'irq'?: (number | string);
  'softIrq'?: (number | string);
  'steal'?: (number | string);
  'guest'?: (number | string);
  'guestNice'?: (number | string);
}

export interface CPUStat__Output {
  'user': (number);
  'nice': (number);
  'system': (number);
  'idle': (number);
  'iowait': (number);
  'irq': (number);
  'softIrq': (number);
  'steal': (number);
  'guest': (number);
  'guestNice': (number);
}
