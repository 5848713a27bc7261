-- SPDX-License-Identifier: Apache-2.0
-- wrk -s paths.lua URL -- FORMAT COUNT
-- Requests COUNT paths, which are FORMAT with the numbers 0 to COUNT - 1. The requests are created before the clock
-- starts. They are sent in strides, so that no request benefits from the CPU cache lines of the one before.

local requests = {}
local count, at = 1, 0

function init(args)
    count = tonumber(args[2])
    for index = 0, count - 1 do
        requests[index] = wrk.format("GET", string.format(args[1], index))
    end
end

function request()
    at = (at + 7919) % count
    return requests[at]
end
