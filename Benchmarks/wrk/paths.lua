-- SPDX-License-Identifier: Apache-2.0
-- wrk -s paths.lua URL -- FORMAT COUNT
-- Asks for COUNT paths, FORMAT with 0 to COUNT - 1 in it. The requests are made before the clock starts, and asked
-- for in strides, so that no cache line of the server's is warm from the request before.

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
