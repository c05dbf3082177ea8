package main

import (
	"encoding/json"
	"strings"
)

// object keeps the order in which its keys were set, which is the order Talos encodes fields in.
type object struct {
	keys   []string
	values map[string]any
}

func newObject(pairs ...any) *object {
	o := &object{values: map[string]any{}}
	for i := 0; i < len(pairs); i += 2 {
		o.set(pairs[i].(string), pairs[i+1])
	}

	return o
}

func (o *object) set(key string, value any) {
	if _, ok := o.values[key]; !ok {
		o.keys = append(o.keys, key)
	}

	o.values[key] = value
}

func (o *object) MarshalJSON() ([]byte, error) {
	var b strings.Builder

	b.WriteByte('{')

	for i, key := range o.keys {
		if i > 0 {
			b.WriteByte(',')
		}

		k, _ := json.Marshal(key) //nolint:errcheck

		v, err := json.Marshal(o.values[key])
		if err != nil {
			return nil, err
		}

		b.Write(k)
		b.WriteByte(':')
		b.Write(v)
	}

	b.WriteByte('}')

	return []byte(b.String()), nil
}
