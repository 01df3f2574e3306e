-- The functions of sql/functions come with this migration: a program that does not know it can't put older ones in their place.
-- Written by scripts/stamp.ts.
<<<<<<< HEAD
-- functions: d15938059e6bec3bb9d83802a4edef2a1e8a47766e0a08434b2ef5f79cc993a8
=======
-- functions: 49707a9d08e746a1dd5778c3da81d99bb861d0f563ef525a3895a7fd7cc0289e
>>>>>>> 8875cda (settings: groups have a part of the panel's Settings, with their difference before and their versions after; trading: a commission goes up to the next cent, so that a deal in parts never pays less than the whole; islands: Ctrl and Enter send a form that has a field named id, too)
